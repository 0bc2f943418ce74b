"""What a file of TensorFlow Lite holds."""

from __future__ import annotations

import collections
import os
from typing import Any

from evergraph.cli.reports.report import Report, Table
from evergraph.lite.libraries import MissingLibrary, schema

IDENTIFIER = b"TFL3"


def lite_model_report(path: str) -> Report:
    """Lists inputs, outputs and operators.

    Raises:
        ValueError: LiteRT's schema is not installed, or the file is damaged.
    """
    try:
        tables = schema()
    except MissingLibrary:
        raise ValueError("files of TensorFlow Lite need its schema: pip install ai-edge-litert flatbuffers") from None
    with open(path, "rb") as file:
        data = file.read()
    try:
        model = tables.ModelT.InitFromObj(tables.Model.GetRootAs(data, 0))
        return _report(path, model, tables)
    except Exception as error:  # flatbuffers reads offsets out of the file, and fails in every way when they are wrong
        raise ValueError(f"a damaged file of TensorFlow Lite: {type(error).__name__}: {error}") from None


def _report(path: str, model: Any, tables: Any) -> Report:
    main = model.subgraphs[0]
    names = {number: name for name, number in vars(tables.BuiltinOperator).items() if isinstance(number, int)}
    codes = [_operator(code, names) for code in model.operatorCodes or ()]
    counts = collections.Counter(codes[each.opcodeIndex] for graph in model.subgraphs for each in graph.operators or ())
    kinds = {number: name for name, number in vars(tables.TensorType).items() if isinstance(number, int)}
    rows = lambda places: [_tensor(main.tensors[place], kinds) for place in places]
    facts = {
        "version": model.version,
        "description": _text(model.description),
        "subgraphs": len(model.subgraphs),
        "operators": sum(counts.values()),
        "constant_bytes": sum(len(each.data) for each in model.buffers or () if each.data is not None),
        "file_bytes": os.path.getsize(path),
    }
    columns = ["name", "dtype", "shape", "scale", "zero_point"]
    return Report(
        "lite_model",
        path,
        facts,
        [
            Table("inputs", columns, rows(main.inputs)),
            Table("outputs", columns, rows(main.outputs)),
            Table("ops", ["op", "count"], [list(each) for each in counts.most_common()]),
        ],
    )


def _operator(code: Any, names: dict[int, str]) -> str:
    number = max(code.builtinCode, code.deprecatedBuiltinCode)
    return f"{_text(code.customCode)} (custom)" if code.customCode else names.get(number, str(number))


def _tensor(tensor: Any, kinds: dict[int, str]) -> list[Any]:
    signature = tensor.shapeSignature if tensor.shapeSignature is not None else tensor.shape
    shape = [None if size < 0 else int(size) for size in (signature if signature is not None else ())]
    parameters = tensor.quantization
    scaled = parameters is not None and parameters.scale is not None and len(parameters.scale)
    return [
        _text(tensor.name),
        kinds.get(tensor.type, str(tensor.type)).lower(),
        shape,
        float(parameters.scale[0]) if scaled else None,
        int(parameters.zeroPoint[0]) if scaled else None,
    ]


def _text(value: Any) -> Any:
    return value.decode("utf-8", "replace") if isinstance(value, bytes) else value
