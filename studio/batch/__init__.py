"""Many boards of one design: other seeds, values and names, each checked and written, on all cores or on a cluster.

batch: the settings shared by all boards. task: the settings of one board. board: the result of a task, its figures
and the bytes of its files. Workers write nothing; only the calling process does, so place and order of the work make
no difference.
"""
