"""Many boards of one design: other seeds, values and names, each checked and written, on all cores or on a cluster.

batch: what all boards have in common. task: what one of them has for itself. board: the answer to a task, its figures
and the bytes of its files. Whoever computes boards writes nothing; only the one who asked does, so that it makes no
difference where and in which order they are made.
"""
