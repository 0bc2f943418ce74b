"""Training ops: every update rule on whole variables and on rows of them, as references and as resources."""

from tests.harness import case, floats, i32, i64, ref, resource

w = floats(3, 2)
g = floats(3, 2, seed=5)
m = floats(3, 2, seed=6)
v = floats(3, 2, seed=7) ** 2 + 0.5
z = floats(3, 2, seed=8) ** 2 + 0.1

# rule -> (variables, the other inputs with "grad" for the gradient, flags to try)
RULES = {
    "GradientDescent": ((), (0.1, "grad"), ({},)),
    "ProximalGradientDescent": ((), (0.1, 0.2, 0.3, "grad"), ({},)),
    "Momentum": ((m,), (0.1, "grad", 0.9), ({}, {"use_nesterov": True})),
    "KerasMomentum": ((m,), (0.1, "grad", 0.9), ({}, {"use_nesterov": True})),
    "Adagrad": ((v,), (0.1, "grad"), ({}, {"update_slots": False})),
    "AdagradV2": ((v,), (0.1, 0.01, "grad"), ({}, {"update_slots": False})),
    "ProximalAdagrad": ((v,), (0.1, 0.2, 0.3, "grad"), ({},)),
    "AdagradDA": ((m, v), ("grad", 0.1, 0.02, 0.3, i64(3)), ({},)),
    "Adadelta": ((v, z), (0.5, 0.9, 0.01, "grad"), ({},)),
    "Adam": ((m, v), (0.9, 0.99, 0.1, 0.9, 0.99, 0.01, "grad"), ({}, {"use_nesterov": True})),
    "AdamWithAmsgrad": ((m, v, z), (0.9, 0.99, 0.1, 0.9, 0.99, 0.01, "grad"), ({},)),
    "AdaMax": ((m, v), (0.9, 0.1, 0.9, 0.99, 0.01, "grad"), ({},)),
    "RMSProp": ((v, m), (0.1, 0.9, 0.5, 0.01, "grad"), ({},)),
    "CenteredRMSProp": ((m * 0.1, v, z), (0.1, 0.9, 0.5, 0.01, "grad"), ({},)),
    "Ftrl": ((v, m), ("grad", 0.1, 0.2, 0.3, -0.5), ({},)),
    "FtrlV2": ((v, m), ("grad", 0.1, 0.2, 0.3, 0.05, -0.7), ({},)),
    "AddSign": ((m,), (0.1, 1.0, 0.9, 0.9, "grad"), ({},)),
    "PowerSign": ((m,), (0.1, 0.7, 0.9, 0.9, "grad"), ({},)),
}
DENSE_ONLY = ("GradientDescent", "Adam", "AdamWithAmsgrad", "AdaMax", "AddSign", "PowerSign")
RESOURCE_ONLY = ("KerasMomentum", "AdamWithAmsgrad")
ROWS = (i32([2, 0]), i64([0, 2, 0]))  # the second names a row twice


def forms(rule):
    return [(sparse, held) for sparse in (False, True) for held in (ref, resource)
            if not (sparse and rule in DENSE_ONLY or held is ref and rule in RESOURCE_ONLY)]


def op_name(rule, sparse, held):
    return f"{'Resource' if held is resource else ''}{'Sparse' if sparse else ''}Apply{rule}"


def inputs(given, grad, rows=None):
    for each in given:
        if each is not None and isinstance(each, str):
            yield grad
            if rows is not None:
                yield rows
        else:
            yield each


CASES = []
for rule, (slots, given, flags) in RULES.items():
    for sparse, held in forms(rule):
        for flag in flags:
            for rows in ROWS if sparse else (None,):
                gradient = g if rows is None else floats(len(rows), 2, seed=9)
                CASES.append(case(op_name(rule, sparse, held), held(w), *(held(s) for s in slots),
                                  *inputs(given, gradient, rows), **flag))

CASES += [
    case("ApplyGradientDescent", ref(w.astype("float64")), w.astype("float64")[0, 0], w.astype("float64")),
    case("ApplyGradientDescent", ref(w.astype("float16")), g.astype("float16")[0, 0], g.astype("float16")),
    case("ApplyMomentum", ref(w), ref(m), 0.1, floats(2, 2), 0.9).fails("ValueError"),
    case("ResourceApplyMomentum", resource(w), resource(m), 0.1, floats(2, 2), 0.9).fails("InvalidArgumentError"),
    case("ApplyMomentum", ref(w), ref(floats(2, 2)), 0.1, g, 0.9).fails("ValueError"),
    case("ApplyAdagrad", ref(w), ref(v), floats(1), g).fails("ValueError"),
    case("SparseApplyAdagrad", ref(w), ref(v), 0.1, g, i32([0, 1, 3])).fails("InvalidArgumentError"),
    case("ResourceSparseApplyMomentum", resource(w), resource(m), 0.1, g, i32([0, -1, 2]), 0.9).fails(
        "InvalidArgumentError"),
    case("SparseApplyAdagrad", ref(w), ref(v), 0.1, g, i32([0, 1])).fails("ValueError"),
    case("SparseApplyAdagrad", ref(w), ref(v), 0.1, floats(0, 2), i32([])),
    case("ApplyProximalGradientDescent", ref(w), 0.1, -0.2, 0.3, g),
    case("ApplyProximalAdagrad", ref(w), ref(v), 0.1, -0.2, 0.3, g).fails("InvalidArgumentError"),
    case("SparseApplyFtrl", ref(w), ref(v), ref(m), g, i32([0, 1, 2]), 0.1, -0.2, 0.3,
         -0.5).fails("InvalidArgumentError"),
    case("SparseApplyFtrl", ref(w), ref(v), ref(m), g, i32([0, 1, 2]), 0.1, 0.2, 0.3,
         0.5).fails("InvalidArgumentError"),
    case("ResourceSparseApplyProximalAdagrad", resource(w), resource(v), -0.1, 0.2, 0.3, g, i32([0, 1, 2])).fails(
        "InvalidArgumentError"),
]
