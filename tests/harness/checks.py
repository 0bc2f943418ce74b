"""What every case is held to. Each check has a name, and a failing case lists the names of all checks that failed."""

import contextlib
import dataclasses

import numpy as np

import evergraph as tf
import evergraph.frontend  # noqa: F401 - tells the registry where the ops are, also when a case is run alone
from evergraph.compile import policy
from evergraph.frontend.importer import import_graph_def
from evergraph.graph import registry
from evergraph.run.session import Session
from tests.harness import graph
from tests.harness.compare import assert_same, plain


def apply_op(name, arguments, attrs):
    """Adds the op `name` to the default graph, arguments in the order of its definition."""
    op = registry.lookup(name)
    given = {op.called.get(key, key): value for key, value in attrs.items() if key not in op.signature.inferred}
    return op(*arguments, **given)


def failures(case, golden):
    """The checks that `case` does not pass: (name of the check, what went wrong)."""
    found = _Failures(case.skips)
    (_check_errors if case.error else _check_all)(case, golden, found)
    return found.list


def compiled_failures(case, golden):
    """As `failures`, of the values and gradients of the compiled program alone."""
    found = _Failures(case.skips)
    built = graph.build(tf, apply_op, case)
    compiled = _outcome("xla", case, built, _gradients(case, golden, built, found), found)
    if compiled:
        _check_values(case, golden, compiled, found)
    return found.list


class _Failures:
    def __init__(self, skips):
        self.list, self._skips = [], skips

    @contextlib.contextmanager
    def check(self, name, kind=None):
        """Notes an exception in the block under `name`, and goes on after the block."""
        try:
            yield
        except Exception as error:
            if kind not in self._skips:
                self.list.append((name, f"{type(error).__name__}: {error}"))

    def skips(self, kind):
        return kind in self._skips


@dataclasses.dataclass
class Outcome:
    """What one tier computed."""

    values: list           # per run
    gradients: list        # per leaf, from the first run
    state: list
    recompiled: int        # compilations during one more run


def _check_all(case, golden, found):
    built = None
    with found.check("the graph is built"):
        built = graph.build(tf, apply_op, case)
    if built is None:
        return
    gradients = _gradients(case, golden, built, found)
    compiled = _outcome("xla", case, built, gradients, found)
    if compiled:
        _check_values(case, golden, compiled, found)
        with found.check("second run compiles nothing"):
            assert compiled.recompiled == 0, f"{compiled.recompiled} compilations"
    interpreted = _outcome("numpy", case, built, gradients, found)
    if interpreted and compiled:
        with found.check("NumPy tier = XLA tier", "tiers"):
            _assert_same_outcomes(interpreted, compiled, case)
    for shapes in graph.SHAPES:
        with found.check(f"static shapes and dtypes, {shapes} placeholder shapes"):
            _check_static(case, golden, shapes, found)
    with found.check("gradient = finite differences", "differences"):
        _check_differences(case, golden, found)
    if interpreted:
        with found.check("GraphDef round trip"):
            _check_round_trip(case, built, gradients, interpreted, found)


def _check_errors(case, golden, found):
    for shapes, wanted in golden.errors.items():
        for tier in ("numpy", "xla") if wanted else ():
            with found.check(f"error class, {shapes} placeholder shapes, {tier} tier"):
                error = _error(case, shapes, tier)
                names = [each.__name__ for each in type(error).__mro__]
                assert wanted in names, f"raised {type(error).__name__}: {error}, wanted {wanted}"


def _error(case, shapes, tier):
    try:
        built = graph.build(tf, apply_op, case, shapes)
        with Session(graph=built.graph, tier=tier) as session:
            graph.initialize(session, built)
            for _ in range(case.runs):
                built.run(session)
    except Exception as error:
        return error
    return None


def _gradients(case, golden, built, found):
    """The gradient tensors, one a leaf or None; none at all where TensorFlow has none or the case wants none."""
    nothing = [None] * len(case.leaves)
    if found.skips("gradient"):
        return nothing
    lookup_failed, tensors = False, nothing
    with found.check("gradient = golden (while building it)"):
        try:
            tensors = graph.gradients(tf, built, case, _output_shapes(golden))
        except LookupError:
            lookup_failed = True
        # TensorFlow lacks gradients that follow from the kernel; having more of them is no fault.
        assert not lookup_failed or golden.gradients == "LookupError", "LookupError, but TensorFlow has a gradient"
    return nothing if golden.gradients == "LookupError" else tensors


def _output_shapes(golden):
    fetched = iter(golden.values[0])
    return [None if name in ("resource", "variant") else next(fetched).shape for name in golden.dtypes]


def _outcome(tier, case, built, gradients, found):
    """Runs the case on one tier; if the gradients cannot run, notes that and runs without them."""
    if any(each is not None for each in gradients):
        with found.check(f"gradient = golden (running on the {tier} tier)", "gradient"):
            return _run(tier, case, built, gradients)
    with found.check(f"the {tier} tier runs"):
        return _run(tier, case, built, [None] * len(gradients))
    return None


def _run(tier, case, built, gradients):
    fetches = [built.fetched, built.targets, [each for each in gradients if each is not None]]
    with Session(graph=built.graph, tier=tier) as session:
        graph.initialize(session, built)
        runs = [session.run(fetches, built.feeds) for _ in range(case.runs)]
        state = session.run(built.state)
        before = policy.compilations.count
        session.run(fetches, built.feeds)
        recompiled = policy.compilations.count - before
    slopes = iter(runs[0][2])
    return Outcome([run[0] for run in runs], [None if each is None else next(slopes) for each in gradients], state,
                   recompiled)


def _check_values(case, golden, outcome, found):
    with found.check("value = golden", "value"):
        for at, (run, wanted_run) in enumerate(zip(outcome.values, golden.values, strict=True)):
            for number, (value, wanted) in enumerate(zip(run, wanted_run, strict=True)):
                assert_same(value, wanted, case, f"output {number} of run {at}")
        for number, (value, wanted) in enumerate(zip(outcome.state, golden.state, strict=True)):
            assert_same(value, wanted, case, f"variable {number} afterwards")
    if not isinstance(golden.gradients, list):
        return
    with found.check("gradient = golden", "gradient"):
        for number, (value, wanted) in enumerate(zip(outcome.gradients, golden.gradients, strict=True)):
            what = f"gradient of input {number}"
            assert (value is None) == (wanted is None), f"{what} is {value}, wanted {wanted}"
            if wanted is not None:
                assert_same(value, wanted, case, what)


def _assert_same_outcomes(found, wanted, case):
    for what in ("values", "gradients", "state"):
        for number, (value, reference) in enumerate(zip(_flat(getattr(found, what)), _flat(getattr(wanted, what)),
                                                        strict=True)):
            assert_same(value, plain(reference), case, f"{what} {number}")


def _flat(values):
    return [each for part in values for each in (part if isinstance(part, list) else [part]) if each is not None]


def _check_static(case, golden, shapes, found):
    known = golden.shapes[shapes]
    if isinstance(known, str):
        return  # TensorFlow cannot build this one
    built = graph.build(tf, apply_op, case, shapes)
    names = [each.dtype.base_dtype.name for each in built.outputs]
    assert names == golden.dtypes, f"dtypes are {names}, wanted {golden.dtypes}"
    for number, (tensor, least, actual) in enumerate(zip(built.outputs, known, _output_shapes(golden), strict=True)):
        static = None if tensor.shape.rank is None else tensor.shape.as_list()
        assert _allows(static, actual), f"output {number}: static shape {static}, but the value's is {actual}"
        assert _knows(static, least), f"output {number}: static shape {static}, TensorFlow infers {least}"
    if shapes == "full" or found.skips("value"):
        return
    with Session(graph=built.graph, tier="numpy") as session:
        graph.initialize(session, built)
        for number, (value, wanted) in enumerate(zip(built.run(session), golden.values[0], strict=True)):
            assert_same(value, wanted, case, f"output {number}")


def _allows(static, actual):
    """Whether a value of shape `actual` may come out of a tensor of shape `static`."""
    if static is None or actual is None:
        return True
    return len(static) == len(actual) and all(size in (None, real) for size, real in zip(static, actual))


def _knows(static, least):
    """Whether `static` says at least what `least` says."""
    if least is None:
        return True
    return static is not None and len(static) == len(least) and all(
        wanted is None or size == wanted for size, wanted in zip(static, least))


STEP = 1e-5


def _check_differences(case, golden, found):
    """Compares each gradient with a central difference along one random direction, in double precision."""
    if found.skips("differences") or not isinstance(golden.gradients, list) or not any(
            each is not None for each in golden.gradients) or "complex" in " ".join(golden.dtypes):
        return
    double = _in_double(case)
    try:
        built = graph.build(tf, apply_op, double)
    except (TypeError, ValueError, tf.errors.InvalidArgumentError):
        return  # the op does not take double
    if any(each.dtype.base_dtype.is_floating and each.dtype.base_dtype.name != "float64" for each in built.outputs):
        return  # in single precision the rounding is larger than the difference
    gradients = graph.gradients(tf, built, double, _output_shapes(golden))
    with Session(graph=built.graph, tier="numpy") as session:
        graph.initialize(session, built)
        for number, (leaf, slope) in enumerate(zip(double.leaves, gradients)):
            if slope is not None and leaf.kind == "feed" and leaf.dtype == "float64":
                _check_direction(session, built, number, slope)


def _check_direction(session, built, number, slope):
    tensor = built.tensors[number]
    point = built.feeds[tensor]
    direction = graph.weight(point.shape, number + 100)
    ahead, behind = (_scalar(session, built, {tensor: point + sign * STEP * direction}) for sign in (1, -1))
    measured = (ahead - behind) / (2 * STEP)
    computed = np.sum(session.run(slope, built.feeds) * direction)
    np.testing.assert_allclose(computed, measured, rtol=1e-4, atol=1e-6, err_msg=f"gradient of input {number}")


def _scalar(session, built, feeds):
    """The weighted sum of the floating outputs, whose gradient is under test."""
    floating = {at: each for at, each in enumerate(built.outputs) if each.dtype.base_dtype.is_floating}
    values = session.run(floating, built.feeds | feeds)
    return sum(np.sum(np.float64(value) * graph.weight(np.shape(value), at)) for at, value in values.items())


def _in_double(case):
    """The same case with double inputs, save those whose type the op fixes."""
    fixed = [] if case.build else [arg.type is not None for arg in registry.lookup(case.op).signature.inputs]
    inputs = [each if at < len(fixed) and fixed[at] else _widened(each) for at, each in enumerate(case.inputs)]
    return dataclasses.replace(case, inputs=tuple(inputs),
                               attrs={name: _double_type(value) for name, value in case.attrs.items()})


def _widened(each):
    if isinstance(each, list):
        return [_widened(leaf) for leaf in each]
    if each.dtype not in ("float32", "float16", "bfloat16"):
        return each
    return dataclasses.replace(each, value=each.value.astype(np.float64), dtype="float64")


def _double_type(value):
    if isinstance(value, list):
        return [_double_type(each) for each in value]
    return "float64" if isinstance(value, str) and value in ("float32", "float16", "bfloat16") else value


def _by_name(graph_def):
    """The nodes in an order of their own: an importer puts a loop after the nodes that its gradient gave it."""
    nodes = sorted(graph_def.node, key=lambda node: node.name)
    del graph_def.node[:]
    graph_def.node.extend(nodes)
    return graph_def


def _check_round_trip(case, built, gradients, wanted, found):
    written = built.graph.as_graph_def()
    copy = tf.Graph()
    with copy.as_default():
        import_graph_def(type(written).FromString(written.SerializeToString()), name="")
    assert _by_name(copy.as_graph_def()) == _by_name(written), "the GraphDef of the imported graph differs"
    again = _renamed(built, copy)
    slopes = [None if each is None else copy.get_tensor_by_name(each.name) for each in gradients]
    outcome = _run("numpy", case, again, slopes if any(each is not None for each in wanted.gradients) else
                   [None] * len(slopes))
    if not found.skips("value"):
        _assert_same_outcomes(outcome, wanted, case)


def _renamed(built, copy):
    """`built` in terms of an imported copy of its graph."""
    def tensors(given):
        return [copy.get_tensor_by_name(each.name) for each in given]

    def operations(given):
        return [copy.get_operation_by_name(each.name) for each in given]

    feeds = dict(zip(tensors(built.feeds), built.feeds.values()))
    return graph.Built(copy, tensors(built.tensors), feeds, tensors(built.outputs), operations(built.targets),
                       operations(built.initializer), tensors(built.state))
