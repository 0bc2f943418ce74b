"""Warm starting: initializes variables of a graph from another graph's checkpoint."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from typing import Any

from evergraph.base import logging
from evergraph.base.export import export
from evergraph.frontend.blocks import device
from evergraph.frontend.collections import GraphKeys
from evergraph.frontend.variables.base import Variable
from evergraph.frontend.variables.partitions import PartitionedVariable
from evergraph.frontend.variables.scope import default_store
from evergraph.graph.graph import default_graph
from evergraph.ops.state.checkpoints import restore_v2
from evergraph.save.object_message import keys_by_name
from evergraph.save.reader import checkpoint_path, load_checkpoint
from evergraph.save.saveables import CPU, names_of, saveables_of
from evergraph.save.vocabulary import VocabInfo, start_with_vocabulary

_PART = re.compile(r"/part_[0-9]+$")


@export("train.init_from_checkpoint")
def init_from_checkpoint(ckpt_dir_or_file: Any, assignment_map: Mapping[str, Any]) -> None:
    """Initializes variables from a checkpoint: replaces their initializers.

    >>> with tf.variable_scope("new"):
    ...     w = tf.get_variable("w", [2])
    >>> tf.train.init_from_checkpoint(path, {"old/": "new/"})                             # doctest: +SKIP

    Args:
        ckpt_dir_or_file: a checkpoint, or a directory to use the latest checkpoint of.
        assignment_map: from names in the checkpoint to the graph. "name" to a variable, a list of parts, or the name of
            a variable; "scope/" to "scope/" means all variables below it, "/" the root of either.

    Raises:
        ValueError: a variable is missing, or a shape differs.
    """
    path, reader = checkpoint_path(ckpt_dir_or_file), load_checkpoint(ckpt_dir_or_file)
    shapes = reader.get_variable_to_shape_map()
    for name, target in sorted(assignment_map.items(), key=lambda pair: pair[0]):
        variable = _variable(target)
        if variable is not None:
            if name not in shapes:
                raise ValueError(f"checkpoint {ckpt_dir_or_file} has no tensor {name}, only {shapes}")
            _start(variable, name, path, shapes)
        else:
            for each, variable in _below(target, name, shapes, ckpt_dir_or_file):
                _start(variable, each, path, shapes)


def _variable(target: Any) -> Any:
    """The variable or list of parts of a target; None if it is a scope."""
    if isinstance(target, (Variable, PartitionedVariable)):
        return target
    if isinstance(target, (list, tuple)) and all(isinstance(each, Variable) for each in target):
        return list(target)
    return _named(target) if isinstance(target, str) and not target.endswith("/") else None


def _named(name: str) -> Any:
    store = default_store()._vars
    if name in store:
        return store[name]
    parts = [store[each] for each in sorted(store, key=_part_number) if _PART.sub("", each) == name != each]
    return parts or None


def _part_number(name: str) -> tuple[str, int]:
    found = _PART.search(name)
    return (_PART.sub("", name), int(found.group().removeprefix("/part_")) if found else -1)


def _below(scope: Any, name: str, shapes: Mapping[str, Any], where: Any) -> Iterable[tuple[str, Any]]:
    """(name in the checkpoint, variable) of all variables in a scope."""
    if not isinstance(scope, str):
        raise TypeError(f"Expected a variable, a list of variables or a name for {name}, got {scope!r}")
    if "/" in name and not name.endswith("/") or not name.endswith("/") or not scope.endswith("/"):
        raise ValueError(f"a scope is assigned from a scope and both end in '/', as in 'scope/': 'other_scope/', got "
                         f"{name!r}: {scope!r}")  # fmt: skip
    prefix, found = "" if scope == "/" else scope, {}
    for each in sorted(default_store()._vars):
        if each.startswith(prefix):
            own = _PART.sub("", each) if _PART.search(each) and _saved_name(name, prefix, each) not in shapes else each
            saved = _saved_name(name, prefix, own)
            if saved not in shapes:
                raise ValueError(f"checkpoint {where} has no tensor {saved} ({own[len(prefix):]} in {name})")
            found[saved] = _named(own)
    return found.items()


def _saved_name(scope: str, prefix: str, name: str) -> str:
    return f"{'' if scope == '/' else scope}{name[len(prefix):]}"


def _start(variable: Any, name: str, path: str, shapes: Mapping[str, Any]) -> None:
    """Gives a variable, or all its parts, an initializer that reads the checkpoint."""
    parts = list(variable) if isinstance(variable, (list, PartitionedVariable)) else [variable]
    _check_shape(parts, isinstance(variable, Variable), name, shapes[name])
    for part in parts:
        info = part._get_save_slice_info() if variable is not part else None
        _read_from(part, name, path, "" if info is None else info.spec)
    logging.info(f"Initialize variable {parts[0].name} from checkpoint {path} with {name}")


def _check_shape(parts: list[Any], is_whole: bool, name: str, stored: list[int]) -> None:
    if is_whole:
        shape = parts[0].shape
    else:
        infos = [part._get_save_slice_info() for part in parts]
        if any(info is None for info in infos) or len({info.full_name for info in infos}) > 1:
            raise ValueError(f"Slices must all be slices of one variable: {parts}")
        shape = type(parts[0].shape)(infos[0].full_shape)
    if not shape.is_compatible_with(stored):
        raise ValueError(f"variable {parts[0].name} has shape {shape}, but tensor {name} of the checkpoint has shape "
                         f"{stored}")  # fmt: skip


def _read_from(variable: Variable, name: str, path: str, spec: str) -> None:
    with default_graph().device(None), default_graph().device(CPU):
        (value,) = restore_v2(path, [name], [spec], [variable.dtype.base_dtype], name="checkpoint_initializer")
    value.set_shape(variable.shape)
    (saveable,) = saveables_of({name: [variable]} if variable._get_save_slice_info() is not None else {name: variable})
    with device(variable.device or None):
        started = saveable.restore([value], None)
    variable._initializer_op = getattr(started, "op", started)
    variable._initial_value = value


# ---- whole models


@export("train.warm_start")
def warm_start(
    ckpt_to_initialize_from: Any,
    vars_to_warm_start: Any = ".*",
    var_name_to_vocab_info: Mapping[str, VocabInfo] | None = None,
    var_name_to_prev_var_name: Mapping[str, str] | None = None,
) -> None:
    """Warm-starts a model: initializes its variables from a checkpoint.

    Args:
        ckpt_to_initialize_from: a checkpoint, or a directory to use the latest checkpoint of.
        vars_to_warm_start: the variables. A string: the trainable ones whose names match it as a regular expression. A
            list of strings: the global ones. A list of variables: these. None: only those with a vocabulary.
        var_name_to_vocab_info: the vocabularies of variables whose words have changed positions.
        var_name_to_prev_var_name: the variables' names in the checkpoint, if they differ.

    Raises:
        ValueError: a name in a dictionary is not a variable's, or a variable does not match the checkpoint.
    """
    vocabularies, previous = dict(var_name_to_vocab_info or {}), dict(var_name_to_prev_var_name or {})
    path = checkpoint_path(ckpt_to_initialize_from)
    keys = keys_by_name(path) or {}  # an object-based checkpoint has other keys than names
    groups = _grouped(vars_to_warm_start)
    plain = {}
    for name, variable in groups.items():
        parts = variable if isinstance(variable, list) else [variable]
        saved = previous.get(name, name)
        if name in vocabularies:
            start_with_vocabulary(parts, keys.get(saved, saved), path, vocabularies[name])
        elif vars_to_warm_start:
            plain[keys.get(saved, saved)] = variable
    for what, given in (("var_name_to_prev_var_name", previous), ("var_name_to_vocab_info", vocabularies)):
        unused = sorted(set(given) - set(groups))
        if unused:
            raise ValueError(f"{what} names variables that there are not: {unused}; there are {sorted(groups)}")
    if plain:
        init_from_checkpoint(path, plain)


def _grouped(wanted: Any) -> dict[str, Any]:
    """The selected variables, parts together, by their names in checkpoints."""
    graph = default_graph()
    if wanted is None or isinstance(wanted, str):
        return names_of(graph.get_collection(GraphKeys.TRAINABLE_VARIABLES, scope=wanted))
    if isinstance(wanted, (list, tuple)) and all(isinstance(each, str) for each in wanted):
        found = [v for each in wanted for v in graph.get_collection(GraphKeys.GLOBAL_VARIABLES, scope=each)]
        return names_of(list(dict.fromkeys(found)))
    if isinstance(wanted, (list, tuple)) and all(isinstance(each, (Variable, PartitionedVariable)) for each in wanted):
        return names_of(wanted)
    raise ValueError("vars_to_warm_start must be a pattern, a list of patterns, a list of variables or None")
