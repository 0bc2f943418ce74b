"""The one-line form of op definitions: every definition of TensorFlow 1.15 survives it."""

import json
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from evergraph.base import dtypes
from evergraph.graph import signature
from evergraph.graph.signature import REQUIRED, Arg, Attr, Signature, parse
from evergraph.tools.signature_text import differences, from_opdef_entry, text_of

OPS = json.loads((Path(__file__).parents[1] / "data" / "ops.json").read_text())


def test_all_of_tensorflows_ops_round_trip():
    assert len(OPS) == 1222
    for name, entry in OPS.items():
        recorded = from_opdef_entry(name, entry)
        read = parse(text_of(recorded))
        assert not differences(read, recorded)
        assert parse(text_of(read)) == read


def test_matmul():
    read = parse("MatMul(a: T, b: T, *, transpose_a: bool = False, T: {half, float}) -> product: T")
    assert read == Signature(
        name="MatMul",
        inputs=(Arg("a", type_attr="T"), Arg("b", type_attr="T")),
        attrs=(Attr("transpose_a", "bool", False), Attr("T", "type", allowed=(dtypes.half, dtypes.float32))),
        outputs=(Arg("product", type_attr="T"),),
    )
    assert read.inferred == {"T"}
    assert list(read.attr) == ["transpose_a", "T"] and read.attr["T"].default is REQUIRED


@pytest.mark.parametrize(("text", "arg"), [
    ("x: float", Arg("x", type=dtypes.float32)),
    ("x: T", Arg("x", type_attr="T")),
    ("x: Ref(T)", Arg("x", type_attr="T", is_ref=True)),
    ("x: Ref(string)", Arg("x", type=dtypes.string, is_ref=True)),
    ("x: N * T", Arg("x", type_attr="T", number_attr="N")),
    ("x: N * string", Arg("x", type=dtypes.string, number_attr="N")),
    ("x: N * Ref(T)", Arg("x", type_attr="T", number_attr="N", is_ref=True)),
    ("x: Ts", Arg("x", list_attr="Ts")),
])  # fmt: skip
def test_arguments(text, arg):
    read = parse(f"Op({text}, *, T: type, N: int >= 1, Ts: list(type)) -> {text.replace('x', 'y', 1)}")
    assert read.inputs == (arg,)
    assert arg.is_list == ("N *" in text or "Ts" in text)
    assert read.inferred == {name for name in (arg.type_attr, arg.number_attr, arg.list_attr) if name}
    assert parse(text_of(read)) == read


@pytest.mark.parametrize(("text", "attr"), [
    ("a: int", Attr("a", "int")),
    ("a: int >= -1 = 0", Attr("a", "int", 0, minimum=-1)),
    ("a: list(int) >= 4 = [1, -2]", Attr("a", "list(int)", (1, -2), minimum=4)),
    ("a: list(int) = []", Attr("a", "list(int)", ())),
    ("a: float = 1e-4", Attr("a", "float", float(np.float32(1e-4)))),
    ("a: float = -inf", Attr("a", "float", -np.inf)),
    ("a: list(float) = [0.5, inf]", Attr("a", "list(float)", (0.5, np.inf))),
    ("a: list(bool) = [True, False]", Attr("a", "list(bool)", (True, False))),
    ("a: string = ', ) } \\' \" = \\t'", Attr("a", "string", ", ) } ' \" = \t")),
    ('a: string = "it\'s"', Attr("a", "string", "it's")),
    ("a: list(string) = ['[', ',', '\\n']", Attr("a", "list(string)", ("[", ",", "\n"))),
    ("a: {'SAME', 'a, b}'} = 'SAME'", Attr("a", "string", "SAME", ("SAME", "a, b}"))),
    ("a: index = int64", Attr("a", "type", dtypes.int64, (dtypes.int32, dtypes.int64))),
    ("a: {float}", Attr("a", "type", allowed=(dtypes.float32,))),
    ("a: list({string, int64}) >= 1", Attr("a", "list(type)", allowed=(dtypes.string, dtypes.int64), minimum=1)),
    ("a: list(index) = [int32]", Attr("a", "list(type)", (dtypes.int32,), (dtypes.int32, dtypes.int64))),
    ("a: shape = []", Attr("a", "shape", ())),
    ("a: shape = None", Attr("a", "shape", None)),
    ("a: shape = [-1, 2]", Attr("a", "shape", (None, 2))),
    ("a: list(shape) = [[2, -1], None, []]", Attr("a", "list(shape)", ((2, None), None, ()))),
    ("a: func", Attr("a", "func")),
    ("a: list(func) >= 1", Attr("a", "list(func)", minimum=1)),
])  # fmt: skip
def test_attrs(text, attr):
    read = parse(f"Op(x: int32, *, {text}, last: int) -> ()")
    assert read.attr["a"] == attr
    assert parse(text_of(read)) == read


def test_defaults_that_do_not_equal_themselves():
    tensor = parse("Op(*, a: tensor = uint8[255, 0])").attr["a"].default
    assert tensor.dtype == np.uint8 and tensor.tolist() == [255, 0] and not tensor.flags.writeable
    nan = parse("Op(*, a: float = nan)")
    assert np.isnan(nan.attr["a"].default)
    assert not differences(nan, parse(text_of(nan)))


def test_outputs_may_be_left_out_and_spaces_do_not_count():
    assert parse("NoOp()") == parse("NoOp() -> ()") == parse("\n NoOp ( )\n->\n()") == Signature("NoOp", (), (), ())
    assert parse("A(x:int32,\n  *,\n  n : int>=1=2)->y:int32,z : float") == parse(
        "A(x: int32, *, n: int >= 1 = 2) -> y: int32, z: float")  # fmt: skip


def test_named_domains_write_back_by_name_whatever_their_order():
    assert "T: index)" in text_of(parse("Op(*, T: {int64, int32})"))
    assert "T: {number, variant})" in text_of(from_opdef_entry("AddN", OPS["AddN"]))
    assert parse("Op(*, T: {index, int32, half})").attr["T"].allowed == (dtypes.int32, dtypes.int64, dtypes.half)
    for domain, names in signature.DOMAINS.items():
        assert text_of(parse(f"Op(*, T: {{{', '.join(names)}}})")) == f"Op(*, T: {domain}) -> ()"


@pytest.mark.parametrize(("line", "said"), [
    ("Op", "an op name and"), ("Op(", "expected"), ("Op(x)", "'name: type' at 'x"), ("Op(x: T)", "'T' is neither"),
    ("Op(x: T, *, T: type", r"'\)' at ''"), ("Op(x: int32) y: T", "'->' at 'y: T'"), ("Op(*)", "expected"),
    ("Op(x: int32) -> y: int32,", "the end"), ("Op(x: int32) -> y: int32)", "the end"),
    ("Op(x: int32, )", "name: type"), ("Op(*, a: func = f)", "no default"),
    ("Op(*, a: in)", "'in' is neither a kind"), ("Op(*, a: int = 'x')", "no default"),
    ("Op(*, a: bool = 3)", "no default"),
    ("Op(*, a: string = SAME)", "no default"), ("Op(*, a: list(int) = 3)", "no default"),
    ("Op(*, a: int, a: int)", "twice"), ("Op(x: N * T, *, N: bool, T: type)", "wants an attr 'N: int'"),
    ("Op(x: N, *, N: int)", "cannot take its type"), ("Op(*, T: {flaot})", "'flaot' is neither"),
])  # fmt: skip
def test_errors_name_the_place(line, said):
    with pytest.raises(ValueError, match=said) as caught:
        parse(line)
    assert repr(line) in str(caught.value)


@given(st.text())
def test_any_text_is_a_signature_or_a_value_error(text):
    for line in text, f"Op({text})", f"Op(*, a: {text})", f"Op(*, a: string = {text!r})":
        try:
            read = parse(line)
        except ValueError:
            continue
        assert not differences(parse(text_of(read)), read)


@given(st.text(), st.floats(width=32, allow_nan=False), st.integers())
def test_every_default_survives(text, number, count):
    read = Signature("Op", (), (Attr("s", "string", text), Attr("f", "float", number), Attr("i", "int", count),
                                Attr("l", "list(string)", (text, text))), ())  # fmt: skip
    assert parse(text_of(read)) == read


@pytest.mark.parametrize(("line", "said"), [
    ("Sum(input: T, *, T: index, k: bool = False)", "inputs"),
    ("Op(x: T, *, T: index, k: bool = False)", "name"),
    ("Sum(x: T, *, k: bool = False, T: index)", "attrs"),
    ("Sum(x: T, *, T: index, k: bool = True)", "'k: bool = True' is not 'k: bool = False'"),
    ("Sum(x: T, *, T: index, k: bool)", "'k: bool' is not"),
    ("Sum(x: T, *, T: index, k: int = 0)", "'k: int = 0' is not"),
    ("Sum(x: T, *, T: number, k: bool = False)", "'T: number' is not 'T: index'"),
    ("Sum(x: T, *, T: index, k: bool = False) -> y: T", "outputs"),
])  # fmt: skip
def test_differences_are_told(line, said):
    found = differences(parse(line), parse("Sum(x: T, *, T: {int64, int32}, k: bool = False)"))
    assert len(found) == 1 and said in found[0]


def test_the_tool_prints_declarations_that_read_back(capsys):
    from evergraph.tools.signature import declaration, main

    for name, entry in OPS.items():
        text = declaration(name, entry)
        line, facets = eval(text.removeprefix("@"), {"op": lambda line, **facets: (line, facets)})
        assert not differences(parse(line), from_opdef_entry(name, entry))
        assert facets == ({"stateful": True} if entry.get("stateful") else {})
        assert all(len(row) <= 120 for row in text.splitlines()), text
    assert main(["NoOp", "Neg"]) == 0
    assert capsys.readouterr().out.startswith('@op("NoOp() -> ()")\n@op("Neg(x: T, ')
    with pytest.raises(SystemExit):
        main(["Matmul"])
    assert "did you mean MatMul" in capsys.readouterr().err


def test_the_tool_runs_as_a_module():
    command = [sys.executable, "-m", "evergraph.tools.signature", "NoOp"]
    assert subprocess.check_output(command, text=True, cwd=Path(__file__).parents[2]) == '@op("NoOp() -> ()")\n'
