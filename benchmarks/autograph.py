"""Rows about AutoGraph: the conversion of functions that have not been converted before."""

import itertools
import linecache

from benchmarks.rows import step

COUNT = 20
FUNCTION = """
def function_{n}(x, limit={n}):
    total, seen = {serial}.0, []
    for i in range(limit):
        if x > i and not seen:
            continue
        elif x < -i:
            return total
        total += helper(x) * (i if x > 0.0 else -i)
    while 0.0 < total < 100.0:
        total = total * 2.0
        if total == 64.0:
            break
    seen.append(total)
    assert total >= 0.0, "negative"
    return seen[0]
"""
numbers = itertools.count()


@step("to_graph of 20 functions")
def to_graph(tf):
    """New functions of 15 lines, in a file of their own."""
    def run():
        serial = next(numbers)  # in the code, so that no earlier conversion serves
        text, file = "".join(FUNCTION.format(n=n, serial=serial) for n in range(COUNT)), f"<functions {serial}>"
        linecache.cache[file] = len(text), None, text.splitlines(keepends=True), file
        space = {"__name__": "functions"}
        exec(compile(text, file, "exec"), space)
        for n in range(COUNT):
            tf.autograph.to_graph(space[f"function_{n}"])
        del linecache.cache[file]

    return run
