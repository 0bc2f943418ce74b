"""The times of XLA's kernels, attributed to nodes: of fused kernels, loops, copies, and programs from the disk."""

import numpy as np
import pytest

import evergraph as tf
from evergraph import proto
from evergraph.base.recent import RecentlyUsed
from evergraph.compile import backend, kernel_times, program
from evergraph.compile.kernel_times import Kernels

STATS = {1: "hlo_op", 2: "program_id", 3: "Hlo Proto", 4: "profile_start_time"}


def plane(space, name):
    found = space.planes.add(name=name)
    for number, word in STATS.items():
        found.stat_metadata[number].name = word
    return found


def recorded(program_id=7, device="/host:CPU", line="thread"):
    """A space with a program of a fused kernel, a loop with a body, and a copy; times in microseconds."""
    module = proto.hlo_pb2.HloModuleProto(name="m")
    fused = module.computations.add(id=1)
    fused.instructions.add(name="p", opcode="parameter", id=1)
    for number, (name, node, size) in enumerate((("mul", "a/Mul/mul", 30), ("exp", "b/Exp/exp", 10)), 2):
        inner = fused.instructions.add(name=name, opcode=name, id=number)
        inner.metadata.op_name, inner.shape.dimensions[:] = f"jit(f)/{node}", [size]
    main = module.computations.add(id=2)
    main.instructions.add(name="fusion", opcode="fusion", id=5, called_computation_ids=[1])
    main.instructions.add(name="while", opcode="while", id=6).metadata.op_name = "jit(f)/loop/while"
    main.instructions.add(name="step", opcode="add", id=7).metadata.op_name = "jit(f)/loop/while/body/loop/add/add"
    main.instructions.add(name="copy", opcode="copy", id=8, operand_ids=[5])
    main.instructions[3].operand_ids[:] = [7]
    space = proto.xplane_pb2.XSpace()
    programs = plane(space, "/host:metadata").event_metadata[1]
    programs.stats.add(metadata_id=2, uint64_value=7)
    programs.stats.add(metadata_id=3, bytes_value=proto.hlo_pb2.HloProto(hlo_module=module).SerializeToString())
    events = plane(space, device).lines.add(name=line, timestamp_ns=5000)
    for name, start, length in (("fusion", 0, 40), ("while", 50, 30), ("step", 55, 10), ("step", 66, 10),
                                ("copy", 90, 5)):
        event = events.events.add(offset_ps=start * 10**6, duration_ps=length * 10**6)
        event.stats.add(metadata_id=1, str_value=name)
        event.stats.add(metadata_id=2, uint64_value=program_id)
    plane(space, "Task Environment").stats.add(metadata_id=4, uint64_value=1_000_000)
    return space


def named(*names):
    """What gives operations by these names."""
    nodes = {name: tf.no_op(name) for name in names}
    return lambda: nodes


@pytest.mark.parametrize(("number", "place", "is_accelerator"), [
    (7, ("/host:CPU", "thread"), False), (0, ("/host:CPU", "thread"), False),
    (7, ("/device:GPU:0", "Stream #1(Compute)"), True)])
def test_kernels_belong_to_nodes(number, place, is_accelerator):
    kernels = Kernels(named("a/Mul", "b/Exp", "loop", "loop/add", "add"), lambda: "m", int)
    found = list(kernels.attributed(recorded(number, *place)))
    assert [(t.node.name, (t.start - 1_005_000) // 1000, (t.stop - t.start) // 1000) for t in found] == [
        ("a/Mul", 0, 30), ("b/Exp", 30, 10), ("loop", 50, 10), ("loop/add", 55, 10), ("loop/add", 66, 10),
        ("loop/add", 90, 5)]
    assert {t.on_accelerator for t in found} == {is_accelerator}


def test_what_belongs_to_nobody():
    assert list(Kernels(named("a/Mul"), lambda: ["other"], int).attributed(recorded())) == []
    kernels = Kernels(named("a/Mul"), lambda: "m", int)
    assert list(kernels.attributed(recorded(7, "/device:GPU:0", "XLA Ops"))) == []  # the same kernels once more
    space = recorded()
    space.planes[1].lines[0].events[0].stats[0].str_value = "unknown"  # then the program is not this one
    assert list(kernels.attributed(space)) == []


SESSIONS = pytest.mark.parametrize("session", [kernel_times._session, kernel_times._WrittenSession])


@SESSIONS
def test_there_is_one_profiler_in_a_process(session, tmp_path, monkeypatch):
    import jax

    monkeypatch.setattr(kernel_times, "_session", session)

    jax.profiler.start_trace(str(tmp_path))
    try:
        assert Kernels(dict, list, int).watched(lambda: [1.0]) == ([1.0], None)
    finally:
        jax.profiler.stop_trace()


@pytest.mark.cpus
@SESSIONS
def test_both_kinds_of_sessions_see_kernels(session, monkeypatch):
    """The one that JAX documents is for versions of it without the other."""
    monkeypatch.setattr(kernel_times, "_session", session)
    x = tf.placeholder(tf.float32, [100, 100])
    product = tf.matmul(x, x, name="product")
    metadata = tf.RunMetadata()
    with tf.Session(tier="xla") as run:
        for _ in range(2):
            run.run(product, {x: np.ones([100, 100])}, tf.RunOptions(trace_level=3), metadata)
    (program,) = [d for d in metadata.step_stats.dev_stats if d.device.endswith("/programs")]
    (node,) = [n for d in metadata.step_stats.dev_stats for n in d.node_stats if n.node_name == "product"][-1:]
    assert 0 < node.all_end_rel_nanos <= program.node_stats[-1].all_end_rel_nanos


def test_xla_is_asked_for_instructions_where_a_program_is_new(monkeypatch):
    asked, programs = [], ["first"]

    class Session:
        def __init__(self, options):
            asked.append(options.enable_hlo_proto)

        def stop(self):
            space = recorded()
            if not asked[-1]:
                del space.planes[0]
            return space.SerializeToString()

    monkeypatch.setattr(kernel_times, "_session", Session)
    kernels = Kernels(named("a/Mul", "b/Exp"), lambda: "m", lambda: len(programs))
    found = [len(kernels.watched(list)[1]) for _ in range(3)]
    assert asked == [True, False, False] and found == [2, 2, 2]
    assert kernels.watched(lambda: programs.append("second") or [])[1] is None  # a run that compiles
    assert len(kernels.watched(list)[1]) == 2 and asked[3:] == [False, True]


def test_kernels_of_a_program_that_another_stage_was_traced_for():
    replica, other = tf.no_op("replica/Mul"), tf.no_op("b/Exp")
    found = Kernels(lambda: {"a/Mul": replica, "b/Exp": other}, lambda: "m", int).attributed(recorded())
    assert [time.node for time in found][:2] == [replica, other]


@pytest.mark.cpus
def test_kernels_of_an_equal_program_on_the_disk(tmp_path, monkeypatch):
    """Whose nodes had other names: one that an earlier process compiled, which this one does not remember."""
    jax = backend.jax()
    before = jax.config.jax_compilation_cache_dir
    jax.config.update("jax_compilation_cache_dir", str(tmp_path))
    jax.clear_caches()
    try:
        for name in ("earlier", "now"):
            monkeypatch.setattr(program, "programs", RecentlyUsed(1))
            x = tf.placeholder(tf.float32, [50, 50])
            product = tf.matmul(x, x, name=name)
            metadata = tf.RunMetadata()
            with tf.Session(tier="xla") as run:
                for _ in range(2):
                    run.run(product, {x: np.ones([50, 50])}, tf.RunOptions(trace_level=3), metadata)
    finally:
        jax.config.update("jax_compilation_cache_dir", before)
    (entry,) = [n for d in metadata.step_stats.dev_stats for n in d.node_stats if n.node_name == "now"][-1:]
    assert entry.all_end_rel_nanos > 0
