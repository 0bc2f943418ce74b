"""The times of XLA's kernels, attributed to nodes: of fused kernels, loops, copies, and programs from the disk."""

import pytest

import evergraph as tf
from evergraph import proto
from evergraph.compile.kernel_times import attributed, with_kernel_times

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


@pytest.mark.parametrize(("number", "place", "is_accelerator"), [
    (7, ("/host:CPU", "thread"), False), (0, ("/host:CPU", "thread"), False),
    (7, ("/device:GPU:0", "Stream #1(Compute)"), True)])
def test_kernels_belong_to_nodes(number, place, is_accelerator):
    nodes = {name: tf.no_op(name.replace("/", "_")) for name in ("a/Mul", "b/Exp", "loop", "loop/add", "add")}
    found = list(attributed(recorded(number, *place), nodes))
    names = {node: name for name, node in nodes.items()}
    assert [(names[t.node], (t.start - 1_005_000) // 1000, (t.stop - t.start) // 1000) for t in found] == [
        ("a/Mul", 0, 30), ("b/Exp", 30, 10), ("loop", 50, 10), ("loop/add", 55, 10), ("loop/add", 66, 10),
        ("loop/add", 90, 5)]
    assert {t.on_accelerator for t in found} == {is_accelerator}


def test_what_belongs_to_nobody():
    nodes = {"a/Mul": tf.no_op("a")}
    assert list(attributed(recorded(7, "/device:GPU:0", "XLA Ops"), nodes)) == []  # the same kernels once more
    space = recorded()
    space.planes[1].lines[0].events[0].stats[0].str_value = "unknown"  # then the program is not this one
    assert list(attributed(space, nodes)) == []


def test_there_is_one_profiler_in_a_process(tmp_path):
    import jax

    jax.profiler.start_trace(str(tmp_path))
    try:
        assert with_kernel_times(lambda: [1.0], dict) == ([1.0], None)
    finally:
        jax.profiler.stop_trace()
