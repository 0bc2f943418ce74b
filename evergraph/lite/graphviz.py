"""Draws models: the text that Graphviz reads."""

from __future__ import annotations

from evergraph.lite.model import Step, Subgraph, Value


def drawn(main: Subgraph) -> str:
    """A model as a graph in the DOT language: boxes for steps, ellipses for values that the model does not compute."""
    parts = [_cluster(number, subgraph) for number, subgraph in enumerate((main, *dict.fromkeys(main.inner())))]
    return "digraph model {\n  rankdir=TB;\n" + "".join(parts) + "}\n"


def _cluster(number: int, subgraph: Subgraph) -> str:
    makers = subgraph.makers()
    names = {step: f"s{number}_{place}" for place, step in enumerate(subgraph.steps)}
    leaves = {value: f"v{number}_{place}" for place, value in enumerate(subgraph.values()) if value not in makers}
    lines = [f"  subgraph cluster_{number} {{", f"    label={_quoted(subgraph.name)};"]
    lines += [f"    {name} [label={_quoted(_text(value))}, shape=ellipse];" for value, name in leaves.items()]
    for step, name in names.items():
        lines.append(f"    {name} [label={_quoted(_title(step))}, shape=box];")
        for value in step.inputs:
            if value is not None:
                source = names[makers[value]] if value in makers else leaves[value]
                lines.append(f"    {source} -> {name} [label={_quoted(_sizes(value))}];")
    return "\n".join([*lines, "  }", ""])


def _title(step: Step) -> str:
    return "\n".join([step.code, *(value.name for value in step.outputs)])


def _text(value: Value) -> str:
    return f"{value.name}\n{value.dtype.name} {_sizes(value)}"


def _sizes(value: Value) -> str:
    return "?" if value.shape is None else "x".join("?" if size is None else str(size) for size in value.shape) or "1"


def _quoted(text: str) -> str:
    escaped = text.replace("\\", "\\\\").replace('"', '\\"').replace("\n", "\\n")
    return f'"{escaped}"'
