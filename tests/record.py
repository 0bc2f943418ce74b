"""Asks real TensorFlow for the answers to the cases and writes them to `tests/goldens`.

Run it with an interpreter that has TensorFlow: `python -m tests.record [family ...] [--all] [--show OP]`. Only cases
without an answer are asked, and answers of cases that are gone are dropped; `--all` asks again.
"""

import argparse
import os
import sys
import warnings

os.environ.setdefault("TF_CPP_MIN_LOG_LEVEL", "3")
os.environ.setdefault("CUDA_VISIBLE_DEVICES", "")
os.environ.setdefault("TF_ENABLE_ONEDNN_OPTS", "0")  # its kernels round otherwise than TensorFlow 1's

import numpy as np
import tensorflow.compat.v1 as tf
from tensorflow.python.framework import op_def_library, op_def_registry

from tests.harness import families, goldens, graph
from tests.harness.goldens import Golden


def apply_op(name, arguments, attrs):
    """Adds the op `name` to the default graph, arguments in the order of its definition."""
    definition = op_def_registry.get(name)
    if definition is None:
        raise NameError(f"TensorFlow has no op {name}")
    inputs = dict(zip([arg.name for arg in definition.input_arg], arguments, strict=True))
    return op_def_library.apply_op(name, **inputs, **_all_attrs(definition, attrs))


def _all_attrs(definition, attrs):
    """The given attributes and the defaults of the others, save those that the inputs imply."""
    implied = {name for arg in definition.input_arg for name in (arg.type_attr, arg.number_attr, arg.type_list_attr)}
    kinds = {attr.name: attr.type for attr in definition.attr}
    found = {attr.name: _python_value(attr.default_value) for attr in definition.attr
             if attr.HasField("default_value") and attr.name not in implied}
    return found | {name: tf.make_tensor_proto(value) if kinds.get(name) == "tensor" else value
                    for name, value in attrs.items()}


def _python_value(value):
    field = value.WhichOneof("value")
    if field != "list":
        return getattr(value, field)
    return next((list(items) for _, items in value.list.ListFields()), [])


def record(case):
    """TensorFlow's answer to `case`."""
    if case.error:
        return _record_errors(case)
    built = graph.build(tf, apply_op, case)
    golden = Golden([each.dtype.base_dtype.name for each in built.outputs],
                    {shapes: _static_shapes(case, shapes) for shapes in graph.SHAPES})
    with _session(built) as session:
        graph.initialize(session, built)
        golden.values = [[_array(each) for each in built.run(session)] for _ in range(case.runs)]
        golden.state = [_array(each) for each in session.run(built.state)]
    if "gradient" not in case.skips:
        golden.gradients = _gradients(case, golden)
    return golden


def _record_errors(case):
    errors = {shapes: _error(case, shapes) for shapes in ("full", "unknown")}
    if errors["full"] != case.error:
        raise AssertionError(f"the case says {case.error}, TensorFlow raised {errors['full']}")
    return Golden([], {}, errors=errors)


def _error(case, shapes):
    """The class that TensorFlow raises, or None."""
    try:
        built = graph.build(tf, apply_op, case, shapes)
        with _session(built) as session:
            graph.initialize(session, built)
            for _ in range(case.runs):
                built.run(session)
    except Exception as error:
        return type(error).__name__
    return None


def _static_shapes(case, shapes):
    try:
        built = graph.build(tf, apply_op, case, shapes)
    except (ValueError, TypeError) as error:
        return type(error).__name__
    return [None if each.shape.rank is None else each.shape.as_list() for each in built.outputs]


def _gradients(case, golden):
    built = graph.build(tf, apply_op, case)
    fetched = iter(golden.values[0])
    shapes = [None if name in ("resource", "variant") else next(fetched).shape for name in golden.dtypes]
    try:
        found = graph.gradients(tf, built, case, shapes)
    except LookupError:
        return "LookupError"
    with _session(built) as session:
        graph.initialize(session, built)
        values = iter(session.run([each for each in found if each is not None], built.feeds))
    return [None if each is None else _array(next(values)) for each in found]


def _session(built):
    config = tf.ConfigProto(intra_op_parallelism_threads=1, inter_op_parallelism_threads=1)
    return tf.Session(graph=built.graph, config=config)


def _array(value):
    """A fetched value as a plain array: quantized numbers as integers, strings as bytes."""
    value = np.asarray(value)
    if value.dtype.fields:
        return value[value.dtype.names[0]]
    if value.dtype.kind in "SUO":
        return np.array(value, dtype=object)
    return value


def _record_family(family, again):
    cases = families.load(family)
    known = {} if again else goldens.read(family)
    found, failed = {name: known[name] for name in cases if name in known}, 0
    fresh = [name for name in cases if name not in known]
    for name in fresh:
        try:
            found[name] = record(cases[name])
        except Exception as error:
            failed += 1
            print(f"{family}: {cases[name]}: {type(error).__name__}: {str(error)[:400]}", file=sys.stderr)
    if found.keys() != known.keys() or fresh:
        goldens.write(family, found)
    print(f"{family}: {len(fresh) - failed} recorded, {failed} failed, {len(found)} in all")
    return failed


def _show(family, op):
    known = goldens.read(family)
    for name, case in families.load(family).items():
        if case.op == op and name in known:
            print(f"\n{name}\n{case}\n{known[name]}")


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("family", nargs="*", help="case modules; every one if none is named")
    parser.add_argument("--all", action="store_true", help="record again what is recorded")
    parser.add_argument("--show", metavar="OP", help="print the recorded answers of an op")
    options = parser.parse_args()
    tf.logging.set_verbosity(tf.logging.ERROR)
    tf.disable_v2_behavior()
    warnings.simplefilter("ignore")
    chosen = options.family or families.families()
    failed = sum(_record_family(family, options.all) for family in chosen)
    for family in chosen if options.show else ():
        _show(family, options.show)
    sys.exit(bool(failed))


if __name__ == "__main__":
    main()
