"""Programs whose sizes change from step to step, once they are warm; `make sizes` shows their first steps too."""

import itertools

from benchmarks.rows import step
from benchmarks.sizes import PROGRAMS

CYCLE = 60  # steps, each of another size


def cycle(build):
    """A program whose call is a step of each size, of which it tells the number."""
    def program(tf):
        run, numbers = build(tf), itertools.count()

        def call():
            for _ in range(CYCLE):
                run(next(numbers))
            return CYCLE
        return call
    return program


for name, build in PROGRAMS.items():
    step(f"Sizes: {name}")(cycle(build))
