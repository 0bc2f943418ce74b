"""Writes the worked example of docs/architecture.md, from what a small graph goes through when it runs:

    python -m tests.harness.walkthrough            # --check fails when the example is out of date
"""

import contextlib
import io
import tempfile
import textwrap
from collections.abc import Iterator
from pathlib import Path

from evergraph.compile import backend, explain
from evergraph.compile.generated import LOWERED, Lowered
from evergraph.passes.partition import Stage
from evergraph.run.executor import Executor
from evergraph.tools import sections

WIDTH = 120
NAMES_AT = 90
PAGE = sections.ROOT / "docs" / "architecture.md"
PROGRAM = """
import evergraph as tf

text = tf.placeholder(tf.string, [4], name="text")
x = tf.reshape(tf.string_to_number(text, name="numbers"), [2, 2], name="x")
w = tf.Variable([[1.0], [1.0]], name="w")
loss = tf.reduce_sum(tf.nn.relu(tf.matmul(x, w, name="product"), name="y"), name="loss")
train = tf.assign_sub(w, tf.gradients(loss, w)[0], name="train")
session = tf.Session()
session.run(w.initializer)
print(session.run([loss, train.op], {text: ["1", "2", "3", "4"]})[0])      # 10.0
"""


def parts() -> dict[str, str]:
    """The generated parts of the example, by name. `code for NumPy` has segments only where there is the C code."""
    names: dict = {}
    with explained() as said:
        exec(PROGRAM, names)
    with jaxprs() as traced:
        exec(PROGRAM.replace("tf.Session()", 'tf.Session(tier="xla")'), {})
    numbers, train = Executor([names["loss"], names["train"].op], [names["text"]]).plan.runners
    before = set(LOWERED)
    whole = train.lowered
    segments = [LOWERED[file] for file in LOWERED if file not in before and LOWERED[file] is not whole]
    code = [commented(whole), *(commented(each).replace("def stage", f"def s{n}") for n, each in enumerate(segments))]
    return {
        "the program": f"```python\n{PROGRAM.strip()}\n```",
        "the node": fenced(brief(names["session"].graph.get_operation_by_name("product").node_def)),
        "the stages": fenced("\n".join(listed(n, each.stage) for n, each in enumerate((numbers, train), 1))),
        "the decision": fenced(said[-1]),
        "the code for NumPy": fenced("\n\n".join(code)),
        "the code for JAX": fenced(commented(train.traced)),
        "the jaxpr": f"JAX {backend.jax().__version__} makes this jaxpr of it:\n\n{fenced(traced[-1].strip())}",
    }  # fmt: skip


def fenced(text: str) -> str:
    return f"```\n{text}\n```"


@contextlib.contextmanager
def explained() -> Iterator[list[str]]:
    """A list that has, at the end of the block, what the tier policy said in it."""
    was, explain.setting.is_on, lines = explain.setting.is_on, True, []
    try:
        with contextlib.redirect_stderr(io.StringIO()) as said, contextlib.redirect_stdout(io.StringIO()):
            yield lines
    finally:
        explain.setting.is_on = was
    lines += said.getvalue().splitlines()


@contextlib.contextmanager
def jaxprs() -> Iterator[list[str]]:
    """A list that has, at the end of the block, the text of each jaxpr that was compiled in it."""
    config, texts = backend.jax().config, []
    with tempfile.TemporaryDirectory() as folder, contextlib.redirect_stdout(io.StringIO()):
        config.update("jax_dump_ir_to", folder)
        config.update("jax_dump_ir_modes", "jaxpr")
        try:
            yield texts
        finally:
            config.update("jax_dump_ir_to", "")
        texts += [path.read_text() for path in sorted(Path(folder).iterdir())]


def brief(node) -> str:
    """A NodeDef on one line for its name, op and inputs, and one for each attr."""
    attrs = [f"{key}: {' '.join(str(value).split())}" for key, value in sorted(node.attr.items())]
    return "\n".join([f"name: {node.name}  op: {node.op}  inputs: {' '.join(node.input)}", *attrs])


def listed(number: int, stage: Stage) -> str:
    """The names of the nodes of a stage."""
    where = "host" if stage.on_host else "device"
    names = ", ".join(node.name for node in stage.nodes)
    return textwrap.fill(f"stage {number}, {where}: {names}", WIDTH, subsequent_indent=" " * 9, break_long_words=False)


def commented(stage: Lowered) -> str:
    """The source of a stage with the names of its nodes beside each line."""
    lines = stage.source.rstrip().splitlines()
    nodes = [[node.name for node in stage.nodes_at(number)] for number in range(1, len(lines) + 1)]
    return "\n".join(f"{line:{NAMES_AT}}  # {' to '.join([names[0], *names[1:][-1:]])}" if names else line
                     for line, names in zip(lines, nodes, strict=True))


if __name__ == "__main__":
    raise SystemExit(sections.main("tests.harness.walkthrough", PAGE, parts))
