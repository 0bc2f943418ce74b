"""Records definitions of ops that TensorFlow 1.15 does not have, for tests/test_opdefs.py.

    .venv-tf/bin/python -m tests.record_ops StatelessRandomUniformV2 BatchMatMulV3

adds them to tests/data/ops_later.json, in the form of tests/data/ops.json. An op goes there when evergraph has reason
to declare it: younger files hold it, or a frontend function needs it and no older op does the same.

Every call also records which attrs the ops of TensorFlow 1.15 have got since, in tests/data/attrs_later.json, and which
dtypes their attrs allow since, in tests/data/types_later.json.
"""

import json
import os
import sys
from pathlib import Path

os.environ["TF_CPP_MIN_LOG_LEVEL"] = "3"

import tensorflow as tf
from tensorflow.python.framework import op_def_registry

DATA = Path(__file__).parent / "data"


def type_name(enum):
    name = tf.as_dtype(enum).name
    return {"float32": "float", "float64": "double", "float16": "half"}.get(name, name)


def argument(arg):
    text = arg.type_attr or (f"{arg.type_list_attr}[]" if arg.type_list_attr else type_name(arg.type))
    text = f"{arg.number_attr}*{text}" if arg.number_attr else text
    return f"{arg.name}: {text}" + (" &" if arg.is_ref else "")


def value(kind, proto):
    if kind.startswith("list("):
        field = {"int": "i", "float": "f", "bool": "b", "string": "s"}.get(kind[5:-1], kind[5:-1])
        return [plain(kind[5:-1], item) for item in getattr(proto.list, field)]
    return plain(kind, getattr(proto, proto.WhichOneof("value")))


def plain(kind, item):
    if kind == "string":
        return item.decode()
    if kind == "type":
        return type_name(item)
    if kind == "shape":
        return "unknown" if item.unknown_rank else [dim.size for dim in item.dim]
    if kind in ("tensor", "func"):
        raise SystemExit(f"a default of kind {kind} has to be written by hand")
    return item


def attribute(attr):
    facets = {}
    if attr.HasField("default_value"):
        facets["default"] = value(attr.type, attr.default_value)
    if attr.HasField("allowed_values"):
        facets["allowed"] = value("list(type)" if "type" in attr.type else "list(string)", attr.allowed_values)
    if attr.has_minimum:
        facets["min"] = attr.minimum
    return [attr.type, facets] if facets else [attr.type]


def entry(op):
    found = {"in": [argument(arg) for arg in op.input_arg], "out": [argument(arg) for arg in op.output_arg],
             "attr": {attr.name: attribute(attr) for attr in op.attr}}  # fmt: skip
    return found | ({"stateful": True} if op.is_stateful else {})


def later_attrs(old):
    """Op of TensorFlow 1.15 -> its attrs that TensorFlow 1.15 did not have."""
    ops = {name: op_def_registry.get(name) for name in sorted(old)}
    found = {name: {a.name: attribute(a) for a in op.attr if a.name not in old[name]["attr"]}
             for name, op in ops.items() if op is not None}  # fmt: skip
    return {name: attrs for name, attrs in found.items() if attrs}


def later_types(old):
    """Op of TensorFlow 1.15 -> attr -> the dtypes that TensorFlow 1.15 did not allow."""
    found = {name: _added_types(old[name]["attr"], op_def_registry.get(name)) for name in sorted(old)}
    return {name: attrs for name, attrs in found.items() if attrs}


def _added_types(old, op):
    now = {a.name: attribute(a)[1].get("allowed", []) for a in op.attr if a.HasField("allowed_values")} if op else {}
    before = {name: kind[1].get("allowed", []) for name, kind in old.items() if "type" in kind[0] and len(kind) > 1}
    added = {name: sorted(set(now.get(name, ())) - set(types)) for name, types in before.items() if types}
    return {name: types for name, types in added.items() if types}


def write(path, entries):
    lines = (f"{json.dumps(name)}:{json.dumps(entries[name], separators=(',', ':'))}" for name in sorted(entries))
    path.write_text("{\n" + ",\n".join(lines) + "\n}\n")


if __name__ == "__main__":
    path = DATA / "ops_later.json"
    old, recorded = json.loads((DATA / "ops.json").read_text()), json.loads(path.read_text()) if path.exists() else {}
    for name in sys.argv[1:]:
        op = op_def_registry.get(name)
        if op is None or name in old:
            raise SystemExit(f"{name}: {'in TensorFlow 1.15 already' if name in old else 'no such op'}")
        recorded[name] = entry(op)
    write(path, recorded)
    write(DATA / "attrs_later.json", later_attrs(old))
    write(DATA / "types_later.json", later_types(old))
