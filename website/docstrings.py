"""Public names whose docstring says too little: `python -m website.docstrings [--count]`, the most used first.

A docstring says too little when it is missing, when it is shorter than a sentence, or when it says nothing of
parameters whose meaning is not evident from their names.
"""

import argparse
import inspect
import re
import sys
from collections import Counter
from enum import EnumMeta
from pathlib import Path

from website.reference import public

ROOT = Path(__file__).parents[1]
WORDS = 4       # a sentence has a subject, a verb and an object
# A docstring may point to where the parameters are explained.
POINTS = re.compile(r"\b(see|those of|same as|as) +(the +)?(`|there\b)", re.IGNORECASE)
EVIDENT = frozenset("""
a b x y z name self cls args kwargs dtype shape seed axis keepdims keep_dims value values tensor tensors inputs input
input_tensor session sess graph scope other verbose filename path kwds tensor1 tensor2 condition message msg node_def
op error_code src dst real imag shape_x shape_y y_true y_pred config custom_objects ops regex cops sgv0 sgv1 sp_a sp_b
prefix separator num_segments segment_ids expand_composites tree fn elems tag_indices one_hot use_locking key metadata
start limit delta num_classes logits labels weights features params data default collections
""".split())


def said_too_little(value):
    """Why a docstring does not suffice, or None."""
    text = inspect.getdoc(value) if not inspect.isclass(value) else own(value)
    if not text:
        return "no docstring"
    if len(re.findall(r"\w+", text)) < WORDS:
        return "shorter than a sentence"
    if POINTS.search(" ".join(text.split())) or "UnimplementedError: always" in text:
        return None
    silent = [name for name in unexplained(value) if not re.search(rf"(?<!\w){re.escape(name)}(?!\w)", text)]
    named = len(parameters(value)) - len(silent)
    return f"says nothing of {', '.join(silent)}" if len(silent) > max(1, named) else None


def own(cls):
    """The docstring of a class itself; one of a base of its own words counts, one of a builtin does not."""
    for base in cls.__mro__:
        if base.__module__ in ("builtins", "abc", "enum"):
            return ""
        if base.__dict__.get("__doc__"):
            return inspect.cleandoc(base.__dict__["__doc__"])
    return ""


def parameters(value):
    """The names of the parameters of a call; the members of an enumeration are made by nobody."""
    if isinstance(value, EnumMeta):
        return []
    try:
        found = inspect.signature(value).parameters.values()
    except (TypeError, ValueError):
        return []
    return [one.name for one in found if one.kind not in (one.VAR_POSITIONAL, one.VAR_KEYWORD)]


def unexplained(value):
    return [name for name in parameters(value) if name not in EVIDENT]


def uses():
    """How many programs use each name, where a table of that is at hand."""
    table = ROOT.parent / "shared" / "api" / "usage.tsv"
    rows = [line.split("\t") for line in table.read_text().splitlines()[1:]] if table.exists() else []
    return Counter({row[0].removeprefix("tf."): int(row[1]) for row in rows})


def findings():
    """(uses, name, why) of every public callable whose docstring says too little, once an object."""
    counted, seen = uses(), {}
    for members in public().values():
        for name, value in members.items():
            if callable(value) and is_ours(value) and (why := said_too_little(value)):
                rank = (-counted[name], name.count("."), name)
                seen[id(value)] = min(seen.get(id(value), (rank, why)), (rank, why))
    return sorted((-rank[0], rank[2], why) for rank, why in seen.values())


def is_ours(value):
    """Whether the words are evergraph's: messages of protocols and what other packages made are described there."""
    return (getattr(value, "__module__", "") or "").startswith("evergraph") and not hasattr(value, "DESCRIPTOR")


def is_defined(function):
    return inspect.isfunction(function) and function.__name__ != "<lambda>" and is_ours(function)


def silent_methods():
    """{function: "tf.Class.method"} of methods and properties of public classes that say nothing, but lambdas."""
    found = {}
    for members in public().values():
        for name, cls in sorted(members.items()):
            if inspect.isclass(cls) and is_ours(cls) and not isinstance(cls, EnumMeta):
                for attribute, member in inspect.getmembers(cls, lambda member: not inspect.getdoc(member)):
                    function = member.fget if isinstance(member, property) else member
                    function = inspect.unwrap(getattr(function, "__func__", function))
                    if not attribute.startswith("_") and is_defined(function):
                        found.setdefault(function, f"tf.{name}.{attribute}")
    return found


def main(arguments=None):
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--count", action="store_true", help="only how many there are")
    found = findings()
    if not parser.parse_args(arguments).count:
        for count, name, why in sorted(found, key=lambda row: -row[0]):
            print(f"{count:4} tf.{name}: {why}")
    print(f"{len(found)} public names")
    return 0


if __name__ == "__main__":
    sys.exit(main())
