"""`tf.lite.Interpreter`, over that of ai-edge-litert."""

from __future__ import annotations

from typing import Any

from evergraph.base.export import export
from evergraph.lite import libraries


@export("lite.experimental.load_delegate")
def load_delegate(library: str, options: dict[str, Any] | None = None) -> Any:
    """Loads a delegate, which computes parts of models in its own way, for `tf.lite.Interpreter`.

    Args:
        library: the path of its shared library.
        options: what its library takes; keys and values become strings.

    Raises:
        ValueError: the library cannot be loaded.
    """
    return libraries.interpreter().load_delegate(library, options)


@export("lite.Interpreter")
class Interpreter:
    """Runs a TensorFlow Lite model.

    Methods that are not listed here, such as `get_signature_runner`, are those of ai-edge-litert's interpreter.

    Args:
        model_path: the path of the model's file.
        model_content: the bytes of such a file, if there is no path.
        experimental_delegates: delegates from `tf.lite.experimental.load_delegate`.

    Raises:
        ValueError: there is no model, or it cannot be read.
    """

    def __init__(self, model_path: str | None = None, model_content: bytes | None = None,
                 experimental_delegates: Any = None) -> None:
        if (model_path is None) == (model_content is None):
            raise ValueError("Interpreter needs a model_path or a model_content, and not both")
        self._interpreter = libraries.interpreter().Interpreter(
            model_path=model_path, model_content=model_content, experimental_delegates=experimental_delegates)

    def allocate_tensors(self) -> None:
        """Prepares to run with the current sizes of the inputs."""
        self._interpreter.allocate_tensors()

    def invoke(self) -> None:
        """Runs the model on the values of its inputs."""
        self._interpreter.invoke()

    def get_input_details(self) -> list[dict[str, Any]]:
        """A dictionary with name, index, shape, dtype and quantization for each input."""
        return self._interpreter.get_input_details()

    def get_output_details(self) -> list[dict[str, Any]]:
        """A dictionary with name, index, shape, dtype and quantization for each output."""
        return self._interpreter.get_output_details()

    def get_tensor_details(self) -> list[dict[str, Any]]:
        """Such a dictionary for each tensor."""
        return self._interpreter.get_tensor_details()

    def get_tensor(self, tensor_index: int) -> Any:
        """A copy of a tensor's value."""
        return self._interpreter.get_tensor(tensor_index)

    def set_tensor(self, tensor_index: int, value: Any) -> None:
        """Sets the value of an input."""
        self._interpreter.set_tensor(tensor_index, value)

    def resize_tensor_input(self, input_index: int, tensor_size: Any) -> None:
        """Changes the shape of an input; `allocate_tensors` must follow."""
        self._interpreter.resize_tensor_input(input_index, tensor_size)

    def tensor(self, tensor_index: int) -> Any:
        """A function that returns a view of a tensor's memory, to be used before the model runs again."""
        return self._interpreter.tensor(tensor_index)

    def reset_all_variables(self) -> None:
        """Sets the variables of the model to zero."""
        self._interpreter.reset_all_variables()

    def __getattr__(self, name: str) -> Any:
        if name == "_interpreter":
            raise AttributeError(name)
        return getattr(self._interpreter, name)
