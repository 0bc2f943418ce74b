"""A program as data: steps, bodies of branches and loops, what is fetched; and its text, which runs in both."""

import dataclasses
import zlib

RUNS = 7  # the default policy compiles a stage at its fourth run

PRELUDE = '''
def slopes(tf, y, xs):
    """dy/dx by x as tensors, None where there is none."""
    found = tf.gradients(y, xs)
    return [None if each is None else tf.convert_to_tensor(each) for each in found]


'''


@dataclasses.dataclass(frozen=True)
class Step:
    """One line of a program: a name and the expression that gives its value.

    Attributes:
        number: names the value, `v7`.
        text: the expression; {0}, {1}... stand for the inputs, {f0}, {f1}... for the bodies.
        inputs: numbers of the steps or parameters that the expression uses.
        kind: dtype and shape of a tensor, such as ("float32", (2, 3)); None for anything else.
        after: the number of the step that must run before, or None.
        bodies: functions that the expression passes on.
        rounds: whether two right implementations may differ in the last bits.
    """

    number: int
    text: str
    inputs: tuple = ()
    kind: tuple | None = None
    after: int | None = None
    bodies: tuple = ()
    rounds: bool = False


@dataclasses.dataclass(frozen=True)
class Body:
    """A function of a branch or a loop: parameters, steps, and the numbers of the values that it returns."""

    number: int
    params: tuple
    steps: tuple
    results: tuple


@dataclasses.dataclass(frozen=True)
class Program:
    """A whole program.

    Attributes:
        steps: its lines, in order.
        feeds: (number of a placeholder, its value as nested lists).
        fetches: numbers of the tensors to fetch.
        gradients: (y, xs, whether second gradients are fetched as well).
    """

    steps: tuple
    feeds: tuple = ()
    fetches: tuple = ()
    gradients: tuple = ()

    @property
    def checksum(self):
        return zlib.crc32(source(self).encode())


def source(program, noisy=False):
    """The text of `program(tf)`, which returns (fetches, feeds).

    Args:
        noisy: whether `noise`, a global of the text, wraps every value that may be rounded otherwise.
    """
    lines = [*_lines(program.steps, noisy), f"fetches = [{_names(program.fetches)}]"]
    for y, xs, second in program.gradients:
        lines.append(f"first = slopes(tf, v{y}, [{_names(xs)}])")
        lines.append("fetches += first")
        if second:
            lines.append("known = [each for each in first if each is not None]")
            lines.append(f"fetches += slopes(tf, known, [{_names(xs)}]) if known else []")
    feeds = ", ".join(f"v{number}: {value!r}" for number, value in program.feeds)
    lines.append("return fetches, {" + feeds + "}")
    return (PRELUDE.lstrip() if program.gradients else "") + "def program(tf):\n" + _indented(lines)


def as_script(program, tier=None, runs=RUNS):
    """A Python program that shows what evergraph makes of the graph; TensorFlow runs it without `tier`."""
    option = "" if tier is None else f"tier={tier!r}"
    return (f"import evergraph as tf\n\n\n{source(program)}\n\nfetches, feeds = program(tf)\n"
            "fetches = [each for each in fetches if each is not None]\n"
            f"with tf.Session({option}) as session:\n    session.run(tf.global_variables_initializer())\n"
            f"    for _ in range({runs}):\n        print(session.run(fetches, feeds))\n"
            "    print(session.run(tf.global_variables()))\n")


def walk(steps):
    """Every step, those of bodies as well."""
    for step in steps:
        yield step
        for body in step.bodies:
            yield from walk(body.steps)


def used(steps):
    """The numbers that steps use: their own inputs and what their bodies take from outside or inside."""
    found = set()
    for step in walk(steps):
        found.update(step.inputs, (step.after,) if step.after is not None else ())
        for body in step.bodies:
            found.update(body.results)
    return found


def _lines(steps, noisy):
    for step in steps:
        for body in step.bodies:
            yield f"def f{body.number}({_names(body.params)}):"
            yield from ("    " + line for line in _lines(body.steps, noisy))
            yield f"    return {_names(body.results)}"
        functions = {f"f{at}": f"f{body.number}" for at, body in enumerate(step.bodies)}
        text = step.text.format(*(f"v{number}" for number in step.inputs), **functions)
        if noisy and step.rounds:
            text = f"noise({text})"
        if step.after is None:
            yield f"v{step.number} = {text}"
        else:
            yield f"with tf.control_dependencies([v{step.after}]):"
            yield f"    v{step.number} = {text}"


def _names(numbers):
    return ", ".join(f"v{number}" for number in numbers)


def _indented(lines):
    return "".join(f"    {line}\n" for line in lines)
