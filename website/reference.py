"""Writes the reference: a page for each namespace, an entry for each public name, from signatures and docstrings."""

import importlib
import inspect
import re
import textwrap
from collections import defaultdict

from evergraph.api.names import NAMES

LEFT_OUT = ("compat.", "raw_ops.", "core.")     # other spellings of names, and the ops behind them
SECTION = re.compile(r"^(Args|Arguments|Returns|Raises|Yields|Attributes|Example|Examples|References):\s*$")
ENTRY = re.compile(r"^(\*{0,2}[\w`., *]+?)(?: \([^)]*\))?: ?(.*)$")


def public():
    """{namespace: {public name: object}}, without the names that evergraph cannot load here."""
    found = defaultdict(dict)
    for name, target in NAMES.items():
        if not name.startswith(LEFT_OUT):
            try:
                found[name.rpartition(".")[0]][name] = loaded(target)
            except ImportError:         # needs a package that is not installed
                continue
    return found


def loaded(target):
    """What a row of the table of names stands for."""
    module, _, attribute = target.partition(":")
    return getattr(importlib.import_module(module), attribute)


def pages(names=None):
    """{file: text} of the whole reference."""
    names = names or public()
    also = defaultdict(list)
    for members in names.values():
        for name, value in members.items():
            if callable(value):
                also[id(value)].append(name)
    made = {f"reference/{namespace or 'tf'}.md": page(namespace, members, also)
            for namespace, members in sorted(names.items())}
    return {"reference/index.md": index(names), **made}


def index(names):
    """The page that leads to the others."""
    rows = [f"| [`tf{namespace and '.'}{namespace}`]({namespace or 'tf'}.md) | {len(members)} | {some(members)} |"
            for namespace, members in sorted(names.items())]
    count = sum(map(len, names.values()))
    return (f"# Reference\n\nThe {count:,} public names below `tf`, from their docstrings. `tf.compat.v1` has the same "
            "ones; `tf.raw_ops` has every op by its own name, with its arguments in TensorFlow's order. Parameters, "
            "defaults and dtypes are TensorFlow 1.15's.\n\n"
            "| namespace | names | among them |\n|---|---|---|\n" + "\n".join(rows) + "\n")


def some(members):
    """A few names of a namespace, those without underscore first."""
    last = [name.rpartition(".")[2] for name in members]
    return ", ".join(f"`{name}`" for name in last[:4]) + (" ..." if len(last) > 4 else "")


def page(namespace, members, also):
    """The page of a namespace."""
    head = f"tf.{namespace}" if namespace else "tf"
    parts = [f"# `{head}`\n"]
    for name, value in sorted(members.items(), key=lambda pair: pair[0].lower()):
        parts.append(entry(name, value, [f"`tf.{other}`" for other in also[id(value)] if other != name]))
    return "\n".join(parts)


def entry(name, value, others):
    """The entry of one name: heading, signature, docstring, members of a class."""
    last = name.rpartition(".")[2]
    lines = [f"## `tf.{name}`" + ("" if last.startswith("_") else f" {{: #{last} }}"), ""]
    if hasattr(value, "DESCRIPTOR"):
        lines += [message(value.DESCRIPTOR), ""]
    elif inspect.isclass(value) or callable(value):
        lines += ["```python", signature(last, value), "```", ""]
        lines += [markdown(inspect.getdoc(value) or ""), ""]
    else:
        lines += ["A module." if inspect.ismodule(value) else f"{type(value).__name__}: `{short(value)}`", ""]
    if others:
        lines += ["Also " + ", ".join(others) + ".", ""]
    if inspect.isclass(value) and not hasattr(value, "DESCRIPTOR"):
        lines += methods(value)
    return "\n".join(lines)


def message(descriptor):
    """What a protocol message holds."""
    parts = getattr(descriptor, "fields", None) or getattr(descriptor, "values", ())
    inside = f" of {', '.join(f'`{part.name}`' for part in parts)}" if parts else ""
    return f"The protocol message `{descriptor.full_name}`{inside}."


def signature(name, value):
    """A call with its parameters, one a line where they are many."""
    try:
        found = inspect.signature(value)
    except (TypeError, ValueError):
        return f"{name}(...)"
    shown = []
    for parameter in found.parameters.values():
        if parameter.name in ("self", "cls"):
            continue
        default = "" if parameter.default is parameter.empty else f"={short(parameter.default)}"
        mark = {parameter.VAR_POSITIONAL: "*", parameter.VAR_KEYWORD: "**"}.get(parameter.kind, "")
        if parameter.kind is parameter.KEYWORD_ONLY and "*" not in shown and not any(p.startswith("*") for p in shown):
            shown.append("*")
        shown.append(f"{mark}{parameter.name}{default}")
    line = f"{name}({', '.join(shown)})"
    return line if len(line) < 80 else f"{name}(\n    " + ",\n    ".join(shown) + ",\n)"


def short(value):
    """A default as the program would write it."""
    if inspect.isclass(value) or inspect.isfunction(value):
        return value.__qualname__
    text = repr(value)
    return "..." if " at 0x" in text or len(text) > 60 else text


def markdown(text):
    """A docstring as Markdown: sections become lists."""
    out, section, shows = [], None, False
    for block in text.split("\n"):
        if shows != (block.lstrip().startswith(">>>") or shows and bool(block.strip())):
            shows = not shows
            out += ["", "```pycon"] if shows else ["```", ""]
        if shows:
            out.append(block.strip() if section else block)
        elif found := SECTION.match(block):
            section = found[1]
            out += ["", f"**{section}**", ""]
        elif section and block.startswith("    "):
            row = block[4:]
            item = ENTRY.match(row) if section not in ("Returns", "Example", "Examples", "Yields") else None
            if section.startswith("Example"):
                out.append(block)
            elif item and not row.startswith(" "):
                out.append(f"- `{item[1].strip('`')}`: {escaped(item[2])}")
            else:
                out.append(("  " if out and out[-1].startswith(("- ", "  ")) else "") + escaped(row.strip()))
        else:
            if block.strip():
                section = None
            out.append(block if block.startswith("    ") else escaped(block))
    return "\n".join([*out, "```"] if shows else out).strip()


def escaped(line):
    """Text outside of code whose angle brackets and link brackets stay what they are."""
    parts = re.split(r"(`[^`]*`)", line)
    return "".join(part if k % 2 else re.sub(r"([<*_\[\]])", r"\\\1", part) for k, part in enumerate(parts))


def methods(value):
    """The public methods and properties that a class itself or a base of evergraph's defines."""
    rows = []
    for name, member in inspect.getmembers(value):
        if name.startswith("_") or not (callable(member) or isinstance(member, property)):
            continue
        said = (inspect.getdoc(member) or "").split("\n\n")[0].replace("\n", " ").replace("|", "\\|")
        call = name if isinstance(member, property) else one_line(signature(name, member))
        rows.append(f"| `{call}` | {escaped(said)} |".replace("||", "\\|\\|"))
    return ["| member | |", "|---|---|", *rows, ""] if rows else []


def one_line(text):
    flat = re.sub(r"\(\s+", "(", re.sub(r"\s+", " ", text)).replace(",)", ")").replace("|", "\\|")
    return textwrap.shorten(flat, 110, placeholder=" ...)") if len(flat) > 110 else flat
