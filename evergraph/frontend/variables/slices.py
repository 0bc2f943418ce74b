"""What a checkpoint must know about a variable that is one slice of a larger one."""
from __future__ import annotations

from typing import Any

from evergraph import proto


class SaveSliceInfo:
    """Where a slice lies in the variable it is part of.

    Args:
        full_name: the name of the whole variable.
        full_shape: its shape.
        var_offset: where the slice begins, one number a dimension.
        var_shape: the shape of the slice.
        save_slice_info_def: a SaveSliceInfoDef message that says the same.
        import_scope: the name scope that the whole's name is in.
    """

    def __init__(self, full_name: str | None = None, full_shape: Any = None, var_offset: Any = None,
                 var_shape: Any = None, save_slice_info_def: Any = None, import_scope: str | None = None) -> None:
        if save_slice_info_def is not None:
            full_name, full_shape = save_slice_info_def.full_name, list(save_slice_info_def.full_shape)
            var_offset, var_shape = list(save_slice_info_def.var_offset), list(save_slice_info_def.var_shape)
            full_name = f"{import_scope.rstrip('/')}/{full_name}" if import_scope else full_name
        self.full_name, self.full_shape = full_name, full_shape
        self.var_offset, self.var_shape = var_offset, var_shape

    @property
    def spec(self) -> str:
        """The slice as checkpoints spell it: the full shape, then "start,length" for each dimension."""
        full = " ".join(str(d) for d in self.full_shape)
        parts = ":".join(f"{o},{s}" for o, s in zip(self.var_offset, self.var_shape, strict=True))
        return f"{full} {parts}"

    def to_proto(self, export_scope: str | None = None) -> Any:
        """The message form, or None when the whole is not in `export_scope`."""
        if export_scope is not None and not self.full_name.startswith(export_scope):  # type: ignore[union-attr]
            return None
        name = self.full_name or ""
        prefix = f"{export_scope.rstrip('/')}/" if export_scope else ""
        return proto.variable_pb2.SaveSliceInfoDef(
            full_name=name[len(prefix):] if name.startswith(prefix) else name, full_shape=self.full_shape,
            var_offset=self.var_offset, var_shape=self.var_shape)
