"""Pack a strip with spyrrow: the problem as JSON on standard input; its length in mm and the seconds as an answer."""

import json
import sys
import time

import spyrrow

asked = json.load(sys.stdin)
items = [
    spyrrow.Item(str(number), [tuple(point) for point in shape], 1, [0.0, 90.0, 180.0, 270.0])
    for number, shape in enumerate(asked["shapes"])
]
strip = spyrrow.StripPackingInstance("strip", asked["width"], items)
config = spyrrow.StripPackingConfig(
    total_computation_time=asked["seconds"], min_items_separation=asked["spacing"], seed=1
)
begin = time.perf_counter()
found = strip.solve(config)
print(f"\nfound {found.width} {time.perf_counter() - begin}")
