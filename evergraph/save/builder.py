"""The nodes that a saver adds to a graph."""

from __future__ import annotations

import contextlib
import uuid
from collections.abc import Sequence
from typing import Any

from evergraph import proto
from evergraph.base.devices import DeviceSpec
from evergraph.frontend import array
from evergraph.frontend.blocks import control_dependencies, device, name_scope
from evergraph.frontend.control_flow import group, with_dependencies
from evergraph.graph.graph import default_graph
from evergraph.graph.node import Operation, Tensor
from evergraph.ops.arrays import basic
from evergraph.ops.arrays.reshape import pack
from evergraph.ops.state import checkpoints
from evergraph.ops.strings.strings import string_join
from evergraph.save.saveables import (
    CPU,
    ReferenceVariableSaveable,
    ResourceVariableSaveable,
    SaveableObject,
    SaveSpec,
    saveables_of,
)
from evergraph.save.state import V1, V2

SHARDS = f"_temp_{uuid.uuid4().hex}/part"  # where the shards of this process are written before they are merged

Shards = list[tuple[str, list[SaveableObject]]]


class BaseSaverBuilder:
    """Builds the nodes of a saver, with one RestoreV2 for each tensor.

    Programs with their own way of saving derive from it and override `save_op`, `restore_op` or `bulk_restore`.

    Args:
        write_version: the file format, `tf.train.SaverDef.V2` or `V1`.
    """

    SaveSpec = SaveSpec
    SaveableObject = SaveableObject
    VariableSaveable = ReferenceVariableSaveable
    ResourceVariableSaveable = ResourceVariableSaveable

    def __init__(self, write_version: int = V2) -> None:
        self._write_version = write_version

    def build(
        self,
        names_to_saveables: Any,
        reshape: bool = False,
        sharded: bool = False,
        max_to_keep: int | None = 5,
        keep_checkpoint_every_n_hours: float = 10000.0,
        name: str | None = None,
        restore_sequentially: bool = False,
        filename: str = "model",
    ) -> Any:
        """Adds the nodes to the default graph and describes them in a SaverDef; see `tf.train.Saver`."""
        saveables = saveables_of(names_to_saveables)
        inputs = [s.op for s in saveables if isinstance(s.op, (Operation, Tensor))]
        with name_scope(name, "save", inputs):
            path = _filename(filename)
            if sharded:
                shards = by_device(saveables)
                saved = self._add_sharded_save(path, shards)
                restore = self._add_sharded_restore(path, shards, restore_sequentially, reshape)
            else:
                saved = self._add_save(path, saveables)
                restore = self._add_restore(path, saveables, restore_sequentially, reshape)
        return proto.saver_pb2.SaverDef(
            filename_tensor_name=path.name, save_tensor_name=saved.name, restore_op_name=restore.name,
            max_to_keep=max_to_keep or 0, sharded=sharded, keep_checkpoint_every_n_hours=keep_checkpoint_every_n_hours,
            version=self._write_version)  # fmt: skip

    # ---- saving

    def save_op(self, filename_tensor: Tensor, saveables: Sequence[SaveableObject]) -> Operation:
        """The operation that writes the saveables to a file."""
        specs = [(spec.name, spec.slice_spec, spec.tensor) for saveable in saveables for spec in saveable.specs]
        names, slices, tensors = (list(column) for column in zip(*specs))
        if self._write_version == V1:
            return checkpoints.save_slices(filename_tensor, names, slices, tensors, name="save")
        return checkpoints.save_v2(filename_tensor, names, slices, tensors)

    def _add_save(self, path: Tensor, saveables: Sequence[SaveableObject]) -> Tensor:
        """The path, with a dependency on the write."""
        written = self.save_op(path, saveables)
        with default_graph().colocate_with(path.source):
            return with_dependencies([written], path)

    def _add_sharded_save(self, path: Tensor, shards: Shards) -> Tensor:
        if self._write_version == V1:
            return self._add_files(path, shards)[0]
        beginning = string_join([path, SHARDS])
        prefixes = self._add_files(beginning, shards)[1]
        place = settled_on_cpu(shards[-1][0])
        written = [saved.op for _, saved in prefixes]
        with device(place):
            with control_dependencies(written), name_scope("MergeV2Checkpoints") as scope:
                names = pack([prefix for prefix, _ in prefixes], name="checkpoint_prefixes")
                merged = checkpoints.merge_v2_checkpoints(names, path, delete_old_dirs=True, name=scope)
            with control_dependencies([*written, merged]):
                return basic.identity(path)

    def _add_files(self, path: Tensor, shards: Shards) -> tuple[Tensor, list[tuple[Tensor, Tensor]]]:
        """(the pattern that matches the files, [(the name of a file, the name once it is written)])."""
        count = array.constant(len(shards), name="num_shards")
        files = []
        for number, (place, saveables) in enumerate(shards):
            with device(settled_on_cpu(place)):
                name = self.sharded_filename(path, number, count)
                files.append((name, self._add_save(name, saveables)))
        if self._write_version == V2:
            return path, files
        with control_dependencies([saved.op for _, saved in files]):
            return checkpoints.sharded_filespec(path, count), files

    def sharded_filename(self, filename_tensor: Tensor, shard: int, num_shards: Tensor) -> Tensor:
        """The name of one of the files."""
        return checkpoints.sharded_filename(filename_tensor, shard, num_shards)

    # ---- restoring

    def restore_op(self, filename_tensor: Tensor, saveable: SaveableObject, preferred_shard: int) -> list[Tensor]:
        """The tensors of one saveable, read from a file.

        Args:
            filename_tensor: the name of the checkpoint.
            saveable: the saveable to read.
            preferred_shard: has no effect: an index locates each tensor.
        """
        return [
            tensor
            for spec in saveable.specs
            for tensor in checkpoints.restore_v2(filename_tensor, [spec.name], [spec.slice_spec], [spec.dtype])
        ]

    def bulk_restore(
        self, filename_tensor: Tensor, saveables: Sequence[SaveableObject], preferred_shard: int,
        restore_sequentially: bool,
    ) -> list[Tensor]:  # fmt: skip
        """The tensors of all saveables, in order.

        Args:
            filename_tensor: the name of the checkpoint.
            saveables: the saveables to read.
            preferred_shard: passed on to `restore_op`.
            restore_sequentially: has no effect: a step runs its operations sequentially.
        """
        tensors = []
        for saveable in saveables:
            with device(settled_on_cpu(saveable.device) if saveable.device else None):
                tensors += self.restore_op(filename_tensor, saveable, preferred_shard)
        return tensors

    def _add_restore(
        self, path: Tensor, saveables: Sequence[SaveableObject], restore_sequentially: bool, reshape: bool,
        preferred_shard: int = -1, name: str = "restore_all",
    ) -> Operation:  # fmt: skip
        """The operation that restores all saveables."""
        tensors = iter(self.bulk_restore(path, saveables, preferred_shard, restore_sequentially))
        done = []
        for saveable in saveables:
            shapes = [_shape_for(spec) for spec in saveable.specs] if reshape else None
            done.append(saveable.restore([next(tensors) for _ in saveable.specs], shapes))
        return group(*done, name=name)

    def _add_sharded_restore(self, path: Tensor, shards: Shards, restore_sequentially: bool, reshape: bool) -> Any:
        done = []
        for number, (place, saveables) in enumerate(shards):
            with device(place) if place else contextlib.nullcontext():
                done.append(self._add_restore(path, saveables, restore_sequentially, reshape, number, "restore_shard"))
        return group(*done, name="restore_all")


class BulkSaverBuilder(BaseSaverBuilder):
    """Builds the nodes of a saver, with one RestoreV2 that reads all tensors of a device."""

    def bulk_restore(
        self, filename_tensor: Tensor, saveables: Sequence[SaveableObject], preferred_shard: int,
        restore_sequentially: bool,
    ) -> list[Tensor]:  # fmt: skip
        specs = [spec for saveable in saveables for spec in saveable.specs]
        names, slices = [spec.name for spec in specs], [spec.slice_spec for spec in specs]
        with device(CPU):
            return checkpoints.restore_v2(filename_tensor, names, slices, [spec.dtype for spec in specs])


def _filename(default: str) -> Tensor:
    """The placeholder for the path."""
    given = basic.placeholder_with_default(default or "model", shape=(), name="filename")
    return basic.placeholder_with_default(given, shape=(), name="Const")


def _shape_for(spec: SaveSpec) -> Any:
    """The shape for a restored value: that of the variable."""
    tensor = spec.tensor
    return tensor.shape.as_list() if tensor.shape.is_fully_defined() else array.shape(tensor)


def by_device(saveables: Sequence[SaveableObject]) -> Shards:
    """The saveables of each device, in the order of the devices' names."""
    found: dict[str, list[SaveableObject]] = {}
    for saveable in saveables:
        found.setdefault(saveable.device or "", []).append(saveable)
    return sorted(found.items(), key=lambda pair: pair[0])


def settled_on_cpu(place: str) -> str:
    """The CPU of the task that a device belongs to."""
    spec = DeviceSpec.from_string(place or "")
    spec = DeviceSpec(job=spec.job, replica=spec.replica, task=spec.task, device_type="CPU", device_index=0)
    return spec.to_string()
