"""Writes the worked example of docs/architecture.md, from what a small graph goes through when it runs:

    python -m tests.harness.walkthrough            # --check fails when the section is out of date
"""

import contextlib
import io
import tempfile
import textwrap
from collections.abc import Iterator
from pathlib import Path

from evergraph.compile import backend
from evergraph.compile.generated import LOWERED, Lowered
from evergraph.graph.registry import REGISTRY
from evergraph.tools import sections

WIDTH = 120
NAMES_AT = 90
PAGE = sections.ROOT / "docs" / "architecture.md"
BUILD = """
import evergraph as tf

text = tf.placeholder(tf.string, [4], name="text")
x = tf.reshape(tf.string_to_number(text, name="numbers"), [2, 2], name="x")
w = tf.Variable([[1.0], [1.0]], name="w")
loss = tf.reduce_sum(tf.nn.relu(tf.matmul(x, w, name="product"), name="y"), name="loss")
train = tf.assign_sub(w, tf.gradients(loss, w)[0], name="train")
session = tf.Session(tier="xla")
session.run(w.initializer)
"""
RUN = """
print(session.run([loss, train.op], {text: ["1", "2", "3", "4"]})[0])      # 10.0
"""
SECTION = """
A program that reads strings, multiplies matrices and updates a variable:

```python
{program}
```

**The signature line** of `tf.matmul`, from which the function `tf.raw_ops.MatMul`, its dtypes and its NodeDef follow:

```
{line}
```

**The node** that `tf.matmul` adds to the graph, as a NodeDef:

```
{node}
```

**The plan.** The fetches need {count} nodes. Strings cannot be on a device, so there are two stages:

```
{stages}
```

The value of `numbers` crosses from the first stage to the second. Names below `gradients` are nodes that `tf.gradients`
added when the program called it.

**The generated source** of the second stage has one line for each node. `k` is a kernel, `n` a node, `a` an attr, `d` a
dtype, `i` an input of the stage and `t` the output of a node. The context's `xp` chooses NumPy or jax.numpy by its
arguments, `static` refuses a traced value, `settle` gives a result the declared dtype, and `cell` finds the storage
of a variable:

```
{source}
```

**The jaxpr** that JAX {jax} traces from it. The arguments `b` and `c` are the variable and `numbers`; the results are
the loss, the new value of the variable, and 0, because there is no check that could fail. Shapes, axes and the gradient
of the sum were NumPy values at trace time: of them, only the constant `a` is left.

```
{jaxpr}
```
"""


def section() -> str:
    """The text of the section."""
    names: dict = {}
    with contextlib.redirect_stdout(io.StringIO()), jaxprs() as traced:
        exec(BUILD, names)
        before = set(LOWERED)
        exec(RUN, names)
        stages = [LOWERED[file] for file in LOWERED if file not in before]
    node = names["session"].graph.get_operation_by_name("product").node_def
    return SECTION.format(
        program=f"{BUILD.strip()}\n{RUN.strip()}", line=REGISTRY["MatMul"].line, node=brief(node),
        count=sum(len(stage.nodes) for stage in stages), stages="\n".join(map(listed, range(1, 9), stages)),
        source=commented(stages[-1]), jaxpr=traced[-1].strip(), jax=backend.jax().__version__,
    )  # fmt: skip


@contextlib.contextmanager
def jaxprs() -> Iterator[list[str]]:
    """A list that has, at the end of the block, the text of each jaxpr that was compiled in it."""
    config, texts = backend.jax().config, []
    with tempfile.TemporaryDirectory() as folder:
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


def listed(number: int, stage: Lowered) -> str:
    """The names of the nodes of a stage."""
    names = ", ".join(node.name for node in stage.nodes)
    return textwrap.fill(f"stage {number}: {names}", WIDTH, subsequent_indent=" " * 9, break_long_words=False)


def commented(stage: Lowered) -> str:
    """The source of a stage with the name of its node beside each line."""
    lines = stage.source.rstrip().splitlines()
    nodes = [stage.node_at(number) for number in range(1, len(lines) + 1)]
    return "\n".join(line if node is None else f"{line:{NAMES_AT}}  # {node.name}"
                     for line, node in zip(lines, nodes, strict=True))


if __name__ == "__main__":
    raise SystemExit(sections.main("tests.harness.walkthrough", PAGE, "example", section))
