"""Ops that read, assign, count and scatter into variables."""

from tests.harness import case, floats, i32, i64, ints, program, ref, resource, strings

x = floats(4, 3)
rows = floats(2, 3, seed=3) + 3
n = ints(4, 3)

KINDS = ("Update", "Add", "Sub", "Mul", "Div", "Min", "Max")
ND = ("Update", "Add", "Sub")

CASES = [
    case("Assign", ref(x), x * 2),
    case("Assign", ref(x), floats(3, 4)).fails("ValueError"),
    case("Assign", ref(x), x + 1, validate_shape=False),
    case("Assign", ref(strings(["a", "b"])), strings(["c", "d"])),
    case("AssignAdd", ref(x), x),
    case("AssignAdd", ref(n), n),
    case("AssignAdd", ref(x), floats(3)).fails("ValueError"),
    case("AssignSub", ref(x), x * 3),
    case("AssignVariableOp", resource(x), x * 2),
    case("AssignVariableOp", resource(x), floats(3, 4)).fails("ValueError"),
    case("AssignAddVariableOp", resource(x), x),
    case("AssignAddVariableOp", resource(x), floats(2, 3)).fails("ValueError"),
    case("AssignSubVariableOp", resource(n), n),
    case("ReadVariableOp", resource(x), dtype="float32"),
    case("VariableShape", resource(x)),
    case("VariableShape", resource(x), out_type="int64"),
    case("IsVariableInitialized", ref(x)),
    case("VarIsInitializedOp", resource(x)),
    case("CountUpTo", ref(i32(3)), limit=500).repeated(2),
    case("CountUpTo", ref(i64(5)), limit=5).fails("OutOfRangeError"),
    case("ResourceCountUpTo", resource(i64(3)), limit=500, T="int64").repeated(2),
    *[case(f"Scatter{kind}", ref(x), i32([3, 1]), rows) for kind in KINDS],
    *[case(f"Scatter{kind}", ref(x), i64([[3], [1]]), rows[:, None]) for kind in KINDS],
    *[case(f"Scatter{kind}", ref(x), i32([1, 1]), rows) for kind in KINDS],
    *[case(f"Scatter{kind}", ref(x), i32([1, 2]), 2.5) for kind in KINDS],
    *[case(f"ResourceScatter{kind}", resource(x), i32([3, 1]), rows) for kind in KINDS],
    *[case(f"ResourceScatter{kind}", resource(x), i64([1, 1]), rows) for kind in KINDS],
    case("ScatterDiv", ref(n), i32([0, 0]), ints(2, 3, low=2, high=4)),
    case("ScatterAdd", ref(n), i32([0, 2]), ints(2, 3)),
    case("ScatterUpdate", ref(strings(["a", "b", "c"])), i32([2, 0]), strings(["x", "y"])),
    case("ScatterAdd", ref(x), i32([0, 4]), rows).fails("InvalidArgumentError"),
    case("ScatterAdd", ref(x), i32([0, -1]), rows).fails("InvalidArgumentError"),
    case("ResourceScatterUpdate", resource(x), i32([0, 4]), rows).fails("InvalidArgumentError"),
    case("ScatterAdd", ref(x), i32([0, 1]), floats(2, 4)).fails("ValueError"),
    *[case(f"ScatterNd{kind}", ref(x), i32([[3], [1]]), rows) for kind in ND],
    *[case(f"ScatterNd{kind}", ref(x), i64([[3, 0], [1, 2]]), floats(2)) for kind in ND],
    *[case(f"ResourceScatterNd{kind}", resource(x), i32([[3, 0], [1, 2]]), floats(2)) for kind in ND],
    case("ScatterNdAdd", ref(x), i32([[1, 1], [1, 1]]), floats(2)),
    case("ScatterNdAdd", ref(x), i32([[4, 0]]), floats(1)).fails("InvalidArgumentError"),
    case("ResourceGather", resource(x), i32([2, 0, 2]), dtype="float32"),
    case("ResourceGather", resource(x), i64([[2, 0], [1, 1]]), dtype="float32"),
    case("ResourceGather", resource(x), i32([0, 1, 2, 0]), dtype="float32",
         batch_dims=1).no_grad("TensorFlow has none"),
    case("ResourceGather", resource(x), i32([4]), dtype="float32").fails("InvalidArgumentError"),
    case("ResourceGatherNd", resource(x), i32([[2], [0]]), dtype="float32"),
    case("ResourceGatherNd", resource(x), i32([[2, 1], [0, 2]]), dtype="float32"),
    case("ResourceGatherNd", resource(x), i32([[2, 3]]), dtype="float32").fails("InvalidArgumentError"),
]


@program(x)
def temporary_variable(tf, value):
    kept = tf.raw_ops.TemporaryVariable(shape=[4, 3], dtype=tf.float32, var_name="sum")
    filled = tf.raw_ops.Assign(ref=kept, value=value)
    doubled = tf.raw_ops.AssignAdd(ref=filled, value=value)
    return tf.raw_ops.DestroyTemporaryVariable(ref=doubled, var_name="sum")


@program()
def oldest_variable(tf):
    kept = tf.raw_ops.Variable(shape=[2], dtype=tf.float32)
    return tf.raw_ops.AssignAdd(ref=tf.raw_ops.Assign(ref=kept, value=[1.0, 2.0]), value=[1.0, 1.0])
