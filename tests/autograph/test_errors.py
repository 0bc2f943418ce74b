"""What goes wrong points to the user's file and line."""

import inspect
import traceback

import pytest

import evergraph as tf


def line_of(function, text):
    """The line of this file where the function has this text."""
    lines, first = inspect.getsourcelines(function)
    return first + next(n for n, line in enumerate(lines) if text in line)


def lines_here(error):
    """(line, function) of the frames of this file, the innermost last."""
    return [(frame.lineno, frame.name) for frame in traceback.extract_tb(error.__traceback__)
            if frame.filename == __file__]


def fails_in_branch(x):
    y = x + 1.0
    if y > 0.0:
        y = y * 2.0
        raise KeyError("here")
    return y


def fails_in_loop(x):
    total = 0.0
    for _ in tf.range(3):
        while total < x:
            total += 1.0
            total = total + tf.ones([2, 3]) @ tf.ones([2, 3])
    return total


def fails_in_call(x):
    if x > 0.0:
        x = helper(
            x,
        )
    return x


def helper(x):
    for _ in tf.range(2):
        x = undefined_here + x  # noqa: F821
    return x


def fails_in_condition(x):
    while (
        x > 0.0
        and tf.add(x, "text")
    ):
        x -= 1.0
    return x


@pytest.mark.parametrize("function, text, kind", [
    (fails_in_branch, 'raise KeyError("here")', KeyError),
    (fails_in_loop, "@ tf.ones([2, 3])", ValueError),
    (fails_in_condition, 'and tf.add(x, "text")', (TypeError, ValueError)),
])
def test_the_line_that_failed(function, text, kind):
    with pytest.raises(kind) as caught:
        tf.function(function)(tf.constant(1.0))
    assert lines_here(caught.value)[-1][0] == line_of(function, text)


def test_the_lines_of_all_calls():
    with pytest.raises(NameError, match="undefined_here") as caught:
        tf.function(fails_in_call)(tf.constant(1.0))
    found = [line for line, _ in lines_here(caught.value)]
    assert found[-1] == line_of(helper, "undefined_here") and line_of(fails_in_call, "helper(") in found


def test_nothing_but_evergraph_and_the_file_is_in_a_traceback():
    with pytest.raises(KeyError) as caught:
        tf.function(fails_in_branch)(tf.constant(1.0))
    files = {frame.filename for frame in traceback.extract_tb(caught.value.__traceback__)}
    assert all(file == __file__ or "/evergraph/" in file or file.endswith("contextlib.py") for file in files)


def test_run_time_errors_name_the_line():
    def divided(x, y):
        if y >= 0:
            x = x // y
        return x

    with pytest.raises(tf.errors.InvalidArgumentError):
        tf.function(divided)(tf.constant(1), tf.constant(0))


# ---- variables without a value


def test_a_variable_of_one_branch():
    def f(x):
        if x > 0.0:
            y = x
        return y

    with pytest.raises(ValueError, match="'y' must also be initialized in the else branch"):
        tf.function(f)(tf.constant(1.0))
    with pytest.raises(UnboundLocalError):
        tf.autograph.to_graph(f)(-1.0)


def test_a_variable_called_result():
    def f(x):
        if x > 0.0:
            result_ = result_2 = x
        return result_, result_2

    with pytest.raises(ValueError, match="'result_' must also be initialized in the else branch"):
        tf.function(f)(tf.constant(1.0))


def test_a_variable_of_the_else_branch():
    def f(x):
        if x > 0.0:
            z = x
        else:
            z = y = x
        return z, y

    with pytest.raises(ValueError, match="'y' must also be initialized in the main branch"):
        tf.function(f)(tf.constant(1.0))


def test_a_variable_of_a_loop():
    def f(n):
        for i in tf.range(n):
            y = i
        return y

    with pytest.raises(ValueError, match="'y' must be defined before the loop"):
        tf.function(f)(tf.constant(1))


def test_a_result_of_one_path():
    def f(x):
        if x > 0.0:
            return x

    with pytest.raises(ValueError, match="else branch must also have a return statement"):
        tf.function(f)(tf.constant(1.0))
    assert tf.autograph.to_graph(f)(-1.0) is None


def test_none_and_a_value():
    def f(x):
        y = None
        if x > 0.0:
            y = x
        return y

    with pytest.raises(ValueError, match="'y' is None at the end of the else branch"):
        tf.function(f)(tf.constant(1.0))


@pytest.mark.parametrize("value, kind, match", [
    (1.5, TypeError, "the main branch gives int32, the else branch float32"),
    ((1, 2), (TypeError, ValueError), "'y' has not the same structure in the main branch"),
    (object(), TypeError, "'y' is a object at the end of the else branch"),
])
def test_branches_that_differ(value, kind, match):
    def f(x):
        if x > 0:
            y = x
        else:
            y = value
        return y

    with pytest.raises(kind, match=match):
        tf.function(f)(tf.constant(1))


@pytest.mark.parametrize("first, second, match", [
    (0, 1.5, "it begins as int32, and one iteration makes it float32"),
    ([], [1], "'y' has not the same structure before the loop"),
    (None, 1, "'y' is None before the loop and 1 after one iteration"),
    (1, None, "'y' is a tensor before the loop, but None after one iteration"),
])
def test_loops_that_change_kinds(first, second, match):
    def f(x):
        y = first
        for _ in tf.range(x):
            y = tf.constant(second) if second == 1.5 else second
        return y

    with pytest.raises((TypeError, ValueError), match=match):
        tf.function(f)(tf.constant(1))


def test_the_variables_are_as_before_after_an_error():
    seen = []

    def f(x):
        y = 1
        try:
            if x > 0.0:
                y = x
                raise KeyError
        except KeyError:
            seen.append(y)
        return y

    assert tf.function(f)(tf.constant(1.0)).numpy() == 1 and seen == [1]


def test_a_scalar_is_not_iterated_over():
    def f(x):
        for i in x:
            x = i
        return x

    with pytest.raises(ValueError, match="cannot iterate over a scalar tensor"):
        tf.function(f)(tf.constant(1))


# ---- what cannot be converted


def made_by_exec():
    space = {}
    exec("def hidden(x):\n    if x > 0:\n        return 1\n    return 0", space)
    return space["hidden"]


def test_source_that_cannot_be_had(caplog):
    with pytest.raises(ValueError, match="the source of hidden cannot be had.*exec"):
        tf.autograph.to_graph(made_by_exec())
    hidden = made_by_exec()
    with pytest.raises(TypeError, match="bool"):
        tf.function(hidden)(tf.constant(1))
    assert "AutoGraph could not convert hidden" in caplog.text and "do_not_convert" in caplog.text
    assert int(tf.function(lambda: tf.constant(hidden(3)))()) == 1


def test_jumps_out_of_finally(caplog):
    def f(x):
        try:
            x = x + 1
        finally:
            return x  # noqa: B012

    with pytest.raises(ValueError, match="finally"):
        tf.autograph.to_graph(f)
    assert tf.function(f)(tf.constant(1)).numpy() == 2
    assert "could not convert" in caplog.text


def test_functions_of_a_page_that_is_no_python(tmp_path):
    code = "def f(x):\n    if x > 0:\n        return 1\n    return 2\n\ng = lambda x: f(-x) if x else 5\n"
    text = f"A page\n```\n{code}```\n"
    (tmp_path / "page.md").write_text(text)
    space = {}
    exec(compile("\n\n" + code, str(tmp_path / "page.md"), "exec"), space)
    assert tf.function(space["f"])(tf.constant(-1)).numpy() == 2
    assert "choose" in tf.autograph.to_code(space["g"]) and tf.autograph.to_graph(space["g"])(3) == 2


def test_a_file_that_has_changed(tmp_path, monkeypatch):
    file = tmp_path / "changing_module.py"
    file.write_text("def f(x):\n    return x\n")
    monkeypatch.syspath_prepend(tmp_path)
    import changing_module

    file.write_text("\n\n# longer\n\n")
    with pytest.raises(ValueError, match="has changed since it was imported"):
        tf.autograph.to_graph(changing_module.f)
