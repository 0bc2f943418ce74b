"""Converts what a test has built, and runs it by TensorFlow Lite's interpreter."""

import numpy as np

import evergraph as tf
from tests.harness.session import started


def converter(session, inputs, outputs, **attributes):
    """A converter of the session's graph with these attributes."""
    made = tf.lite.TFLiteConverter.from_session(session, list(inputs), list(outputs))
    for name, value in attributes.items():
        setattr(made, name, value)
    return made


def ran(content, *arrays):
    """The outputs of a model for these inputs, in order; inputs take the shapes of the arrays."""
    interpreter = tf.lite.Interpreter(model_content=content)
    details = interpreter.get_input_details()
    for detail, array in zip(details, arrays, strict=True):
        if list(detail["shape"]) != list(np.shape(array)):
            interpreter.resize_tensor_input(detail["index"], np.shape(array))
    interpreter.allocate_tensors()
    for detail, array in zip(details, arrays, strict=True):
        interpreter.set_tensor(detail["index"], np.asarray(array, detail["dtype"]))
    interpreter.invoke()
    return [interpreter.get_tensor(each["index"]) for each in interpreter.get_output_details()]


def steps(content):
    """The names of the operators of a model's main subgraph, in order."""
    from evergraph.lite import libraries, writing

    operators = vars(libraries.schema().BuiltinOperator).items()
    names = {number: name for name, number in operators if isinstance(number, int)}
    model = writing.read(content)
    codes = [names[max(code.builtinCode, code.deprecatedBuiltinCode)] for code in model.operatorCodes]
    return [codes[step.opcodeIndex] for step in model.subgraphs[0].operators]


def both(outputs, feeds, **attributes):
    """What a session and the converted model give for the outputs: two lists of arrays."""
    with started() as session:
        expected = session.run(list(outputs), feeds)
        content = converter(session, feeds, outputs, **attributes).convert()
    return expected, ran(content, *feeds.values())


def check(outputs, feeds, tolerance=1e-6):
    """Compares a session with the converted model; integers and booleans must be the same."""
    expected, found = both(outputs, feeds)
    for ours, lites in zip(expected, found, strict=True):
        assert ours.shape == lites.shape and ours.dtype == lites.dtype
        np.testing.assert_allclose(lites, ours, rtol=tolerance, atol=tolerance)
