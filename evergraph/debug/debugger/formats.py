"""Arrays as lines of the debugger: which line has which element, what is highlighted, and a summary in numbers."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from typing import Any

import numpy as np

from evergraph.debug.debugger.dumps import InconvertibleTensorProto
from evergraph.debug.debugger.lines import RichTextLines

BEGIN_INDICES_KEY, OMITTED_INDICES_KEY = "i0", "omitted"
DEFAULT_TENSOR_ELEMENT_HIGHLIGHT_FONT_ATTR = "bold"
_TOKEN = re.compile(r"\.\.\.|\[|\]|[^\s,\[\]()]+")


class HighlightOptions:
    """Which elements of an array are highlighted.

    Args:
        criterion: a function from the array to booleans.
        description: what it looks for.
        font_attr: the font.

    Raises:
        ValueError: `criterion` cannot be called.
    """

    def __init__(self, criterion: Callable[[Any], Any], description: str | None = None,
                 font_attr: Any = DEFAULT_TENSOR_ELEMENT_HIGHLIGHT_FONT_ATTR) -> None:
        if not callable(criterion):
            raise ValueError("criterion must be callable")
        self.criterion, self.description, self.font_attr = criterion, description, font_attr


def format_tensor(tensor: Any, tensor_label: str | None, include_metadata: bool = False,
                  auxiliary_message: str | None = None, include_numeric_summary: bool = False,
                  np_printoptions: Any = None, highlight_options: HighlightOptions | None = None) -> RichTextLines:
    """An array as lines, each annotated with the indices of its first element.

    Args:
        tensor: the array.
        tensor_label: its name; None for none.
        include_metadata: whether the dtype and the shape are shown.
        auxiliary_message: a further line below the name.
        include_numeric_summary: whether a summary of the numbers is shown.
        np_printoptions: options of NumPy's `set_printoptions`, which stay set.
        highlight_options: which elements are highlighted.
    """
    found = RichTextLines([])
    if tensor_label is not None:
        found.append(f'Tensor "{tensor_label}":' + _highlighted(tensor, highlight_options), _label_fonts(tensor_label))
    if include_metadata and isinstance(tensor, np.ndarray):
        found.append(f"  dtype: {tensor.dtype}")
        found.append(f"  shape: {_shape(tensor.shape)}")
    if auxiliary_message:
        found.append(f"  {auxiliary_message}")
    if found.lines:
        found.append("")
    if include_numeric_summary:
        found.append("Numeric summary:")
        found.extend(numeric_summary(tensor))
        found.append("")
    if isinstance(tensor, InconvertibleTensorProto):
        if not tensor.initialized:
            found.append("Uninitialized tensor:")
        found.extend(RichTextLines(str(tensor).split("\n")))
        return found
    if not isinstance(tensor, np.ndarray):
        found.extend(RichTextLines(str(tensor).split("\n")))
        return found
    if np_printoptions is not None:
        np.set_printoptions(**np_printoptions)
    start = len(found.lines)
    body = RichTextLines(repr(tensor).split("\n"))
    body.annotations = _line_annotations(body.lines, tensor)
    found.extend(body)
    found.annotations["tensor_metadata"] = {"dtype": tensor.dtype, "shape": tensor.shape}
    if highlight_options is not None:
        _highlight(found, start, tensor, highlight_options)
    return found


def _shape(shape: tuple[int, ...]) -> str:
    return str(tuple(int(size) for size in shape))


def _label_fonts(label: str) -> list[tuple[int, int, Any]]:
    """The name of the tensor, and that of its debug op."""
    start, parts = 8, label.split(":")
    name = ":".join(parts[:2])
    fonts = [(start, start + len(name), "bold")]
    if len(parts) > 2:
        fonts.append((start + len(name) + 1, start + len(label), "yellow"))
    return fonts


def _highlighted(tensor: Any, options: HighlightOptions | None) -> str:
    if options is None or not isinstance(tensor, np.ndarray):
        return ""
    count, size = int(np.sum(options.criterion(tensor))), tensor.size
    what = f"({options.description})" if options.description else ""
    return f" Highlighted{what}: {count} of {size} element(s) ({100 * count / size if size else 0:.2f}%)"


def _highlight(found: RichTextLines, start: int, tensor: np.ndarray, options: HighlightOptions) -> None:
    for indices in np.argwhere(options.criterion(tensor)):
        is_omitted, row, begin, end = locate_tensor_element(found, [int(index) for index in indices])
        if not is_omitted and begin is not None:
            found.font_attr_segs.setdefault(row, []).append((begin, end, options.font_attr))


# ---- where elements are


def _tokens(lines: Sequence[str]) -> Iterator[tuple[int, str, int, int]]:
    """(line, token, begin, end) of brackets, elements and ellipses in NumPy's text of an array."""
    depth = 0
    for at, line in enumerate(lines):
        for found in _TOKEN.finditer(line, len("array(") if at == 0 else 0):
            token = found.group()
            depth += (token == "[") - (token == "]")
            yield at, token, found.start(), found.end()
            if depth == 0:
                return


def _line_annotations(lines: Sequence[str], tensor: np.ndarray) -> dict[int, dict[str, list[int]]]:
    """Line -> the indices of its first element, or of the first one that an ellipsis in its place omits."""
    found: dict[int, dict[str, list[int]]] = {}
    if not tensor.ndim or tensor.dtype.kind not in "biufc":
        return found
    edge = np.get_printoptions()["edgeitems"]
    indices, depth = [0] * tensor.ndim, 0
    for at, token, *_ in _tokens(lines):
        if token == "[":
            depth += 1
        elif token == "]":
            indices[depth - 1] = 0
            depth -= 1
            if depth:
                indices[depth - 1] += 1
        elif token == "...":
            if at not in found:
                found[at] = {OMITTED_INDICES_KEY: list(indices)}
            indices[depth - 1] = tensor.shape[depth - 1] - edge
        else:
            found.setdefault(at, {BEGIN_INDICES_KEY: list(indices)})
            indices[-1] += 1
    return found


def locate_tensor_element(formatted: RichTextLines, indices: Any) -> tuple[Any, Any, Any, Any]:
    """Finds elements of an array in its lines.

    Args:
        formatted: the lines.
        indices: the indices of an element, or a list of such indices in ascending order.

    Returns:
        Whether an ellipsis omits it, its line, and where it begins and ends there, which is None beyond an ellipsis;
        lists of these for a list of indices.

    Raises:
        AttributeError: the lines are not those of an array.
        ValueError: there is no such element, or the list has no order.
    """
    if "tensor_metadata" not in formatted.annotations:
        raise AttributeError("tensor_metadata is not available in annotations.")
    is_list = bool(indices) and isinstance(indices[0], list)
    wanted = indices if is_list else [indices]
    for each in wanted:
        _check(each, formatted.annotations["tensor_metadata"]["shape"])
    if wanted != sorted(wanted):
        raise ValueError("Input indices sets are not in ascending order")
    found = [_located(formatted, each) for each in wanted]
    return tuple(map(list, zip(*found, strict=True))) if is_list else found[0]  # type: ignore[return-value]


def _check(indices: Sequence[int], shape: Sequence[int]) -> None:
    if len(indices) != len(shape):
        raise ValueError(f"Dimensions mismatch: requested: {len(indices)}; actual: {len(shape)}")
    if any(index >= size for index, size in zip(indices, shape)):
        raise ValueError(f"Indices exceed tensor dimensions: {list(indices)} of {list(shape)}")
    if any(index < 0 for index in indices):
        raise ValueError(f"Indices contain negative value(s): {list(indices)}")


def _located(formatted: RichTextLines, indices: Sequence[int]) -> tuple[bool, int, int | None, int | None]:
    rows = [(next(iter(about.values())), at, OMITTED_INDICES_KEY in about)
            for at, about in formatted.annotations.items()
            if isinstance(at, int) and not {BEGIN_INDICES_KEY, OMITTED_INDICES_KEY}.isdisjoint(about)]
    begin, row, is_omitted = max(each for each in rows if each[0] <= list(indices))
    if is_omitted:
        return True, row, None, None
    line = formatted.lines[row]
    tokens = [found for found in _TOKEN.finditer(line, len("array(") if line.startswith("array(") else 0)
              if found.group() not in "[]"]
    shown = next((at for at, found in enumerate(tokens) if found.group() == "..."), len(tokens))
    place = indices[-1] - begin[-1]
    if place >= shown:
        return False, row, None, None
    return False, row, tokens[place].start(), tokens[place].end()


# ---- summaries


def numeric_summary(tensor: Any) -> RichTextLines:
    """How many elements are NaN, infinite, negative, zero and positive, and the moments of the finite ones."""
    if not isinstance(tensor, np.ndarray) or not tensor.size:
        return RichTextLines(["No numeric summary available due to empty tensor."])
    if tensor.dtype.kind == "b":
        return _table([("False", np.sum(tensor == 0)), ("True", np.sum(tensor))], tensor.size)
    if tensor.dtype.kind not in "iuf":
        return RichTextLines([f"No numeric summary available due to tensor dtype: {tensor.dtype}."])
    finite = tensor[np.isfinite(tensor)]
    found = _table([("nan", np.sum(np.isnan(tensor))), ("-inf", np.sum(tensor == -np.inf)), ("-", np.sum(finite < 0)),
                    ("0", np.sum(finite == 0)), ("+", np.sum(finite > 0)), ("+inf", np.sum(tensor == np.inf))],
                   tensor.size)
    if finite.size:
        moments = [("min", finite.min()), ("max", finite.max()), ("mean", finite.mean()), ("std", finite.std())]
        found.extend(RichTextLines(_rows([(name, str(value)) for name, value in moments])))
    return found


def _table(counts: Sequence[tuple[str, Any]], total: int) -> RichTextLines:
    names, numbers = _rows([(name, str(int(count))) for name, count in counts if count])
    return RichTextLines([f"{names} total |", f"{numbers} {total:>5} |"])


def _rows(cells: Sequence[tuple[str, str]]) -> list[str]:
    width = max(len(word) for cell in cells for word in cell)
    return [f"| {' '.join(word.rjust(width) for word in words)} |" for words in zip(*cells, strict=True)]
