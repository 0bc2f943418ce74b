"""tf.keras.utils.plot_model and model_to_dot: the layers of a model as a drawing."""
from __future__ import annotations

import os
from typing import Any

from evergraph.base.export import export
from evergraph.keras import history
from evergraph.keras.model import Model
from evergraph.keras.network import is_functional
from evergraph.keras.sequential import Sequential
from evergraph.keras.wrappers import Wrapper


def _pydot() -> Any:
    """The package pydot, if the programs of Graphviz are there too.

    Raises:
        ImportError: they are not.
    """
    try:
        import pydot
        pydot.Dot.create(pydot.Dot())
    except (ImportError, OSError) as error:
        raise ImportError("drawings of models need the package pydot and the programs of Graphviz: pip install pydot, "
                          "and see https://graphviz.org/download") from error
    return pydot


@export("keras.utils.model_to_dot")
def model_to_dot(model: Any, show_shapes: bool = False, show_layer_names: bool = True, rankdir: str = "TB",
                 expand_nested: bool = False, dpi: int = 96, subgraph: bool = False) -> Any:
    """A model as a `pydot.Dot`.

    Args:
        model: the model.
        show_shapes: whether to show the shapes of inputs and outputs.
        show_layer_names: whether to show the names of layers.
        rankdir: "TB" draws from top to bottom, "LR" from left to right.
        expand_nested: whether to draw the layers of models inside it.
        dpi: dots per inch.
        subgraph: whether it is to be a part of another drawing, a `pydot.Cluster`.

    Raises:
        ImportError: pydot or Graphviz are not installed.
    """
    pydot = _pydot()
    drawing = pydot.Cluster(style="dashed", graph_name=model.name) if subgraph else pydot.Dot()
    if subgraph:
        drawing.set("label", model.name)
        drawing.set("labeljust", "l")
    else:
        drawing.set("rankdir", rankdir)
        drawing.set("concentrate", True)
        drawing.set("dpi", dpi)
        drawing.set_node_defaults(shape="record")
    if isinstance(model, Sequential) and not model.built:
        raise ValueError(f"model {model.name} has no shapes yet: call it, or its `build`")
    layers = model._ordered if is_functional(model) else model.layers
    for layer in layers:
        if expand_nested and is_functional(layer):
            drawing.add_subgraph(model_to_dot(layer, show_shapes, show_layer_names, rankdir, expand_nested,
                                              subgraph=True))
        else:
            drawing.add_node(pydot.Node(str(id(layer)), label=_label(layer, show_shapes, show_layer_names)))
    for source, target in _edges(layers):
        begin = source._ordered[-1] if expand_nested and is_functional(source) else source
        end = target._ordered[0] if expand_nested and is_functional(target) else target
        drawing.add_edge(pydot.Edge(str(id(begin)), str(id(end))))
    return drawing


def _edges(layers: list[Any]) -> list[tuple[Any, Any]]:
    """The pairs of layers of which the second takes an output of the first, each once."""
    known = {id(layer) for layer in layers}
    pairs = [(history.history(tensor).layer, layer) for layer in layers for node in layer.keras_nodes
             for tensor in node.flat_inputs]
    if not pairs:
        pairs = list(zip(layers, layers[1:]))  # a sequential model without a declared input
    return list(dict.fromkeys(pair for pair in pairs if id(pair[0]) in known))


def _label(layer: Any, show_shapes: bool, show_layer_names: bool) -> str:
    kind = type(layer).__name__
    if isinstance(layer, Wrapper):
        inner = layer.layer
        kind = f"{kind}({type(inner).__name__})" if not isinstance(inner, Model) else f"{kind}({inner.name})"
    label = f"{layer.name}: {kind}" if show_layer_names else kind
    if not show_shapes:
        return label
    return f"{label}\n|{{input:|output:}}|{{{{{_shape(layer, 'input_shape')}}}|{{{_shape(layer, 'output_shape')}}}}}"


def _shape(layer: Any, name: str) -> str:
    try:
        return str(getattr(layer, name))
    except (AttributeError, RuntimeError):
        return "multiple"


@export("keras.utils.plot_model")
def plot_model(model: Any, to_file: str = "model.png", show_shapes: bool = False, show_layer_names: bool = True,
               rankdir: str = "TB", expand_nested: bool = False, dpi: int = 96) -> Any:
    """Draws a model to a file; in a notebook the result shows it.

    Args:
        model: the model.
        to_file: the file, whose ending says the format.
        show_shapes, show_layer_names, rankdir, expand_nested, dpi: as for `tf.keras.utils.model_to_dot`.

    Raises:
        ImportError: pydot or Graphviz are not installed.
    """
    drawing = model_to_dot(model, show_shapes, show_layer_names, rankdir, expand_nested, dpi)
    kind = os.path.splitext(to_file)[1][1:] or "png"
    path = to_file if os.path.splitext(to_file)[1] else f"{to_file}.{kind}"
    drawing.write(path, format=kind)
    try:
        from IPython import display
    except ImportError:
        return None
    if kind == "svg":
        return display.SVG(filename=path)
    return display.Image(filename=path) if kind in ("png", "jpg", "jpeg", "gif") else None
