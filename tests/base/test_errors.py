import pickle
import types

import pytest

from evergraph.base import errors


@pytest.mark.parametrize("code", range(1, 17))
def test_codes_and_classes(code):
    cls = errors.exception_type_from_error_code(code)
    error = cls(None, None, "what went wrong")
    assert errors.error_code_from_exception_type(cls) == error.error_code == code
    assert isinstance(error, errors.OpError) and str(error) == error.message == "what went wrong"
    assert (error.op, error.node_def) == (None, None)
    copied = pickle.loads(pickle.dumps(error))
    assert (type(copied), copied.message, copied.error_code) == (cls, error.message, code)


def test_codes_without_a_class():
    with pytest.raises(KeyError):
        errors.exception_type_from_error_code(99)
    with pytest.warns(UserWarning, match="ValueError has no error code"):
        assert errors.error_code_from_exception_type(ValueError) == errors.UNKNOWN
    assert errors.make_error(99, "odd").error_code == 99


def test_subclasses_keep_the_code():
    class Mine(errors.NotFoundError):
        pass

    assert Mine(None, None, "gone").error_code == errors.NOT_FOUND
    assert errors.exception_type_from_error_code(errors.NOT_FOUND) is errors.NotFoundError


def test_text_says_where_the_op_was_made():
    op = types.SimpleNamespace(name="a/MatMul", traceback=[("lib.py", 1, "f", ""), ("model.py", 41, "build", "")])
    error = errors.InvalidArgumentError(None, op, "inner dimensions differ")
    assert str(error) == "inner dimensions differ\n\nOp 'a/MatMul' was made at model.py:41"
    assert pickle.loads(pickle.dumps(error)).op is None


def test_status():
    with errors.raise_exception_on_not_ok_status():
        pass
    with pytest.raises(errors.OutOfRangeError, match="the end"):
        with errors.raise_exception_on_not_ok_status() as status:
            status.set(errors.OUT_OF_RANGE, "the end")
