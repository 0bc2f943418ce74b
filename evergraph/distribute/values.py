"""Values that differ between replicas, or are the same on the device of each; and structures of them."""
from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

from evergraph.base import nest
from evergraph.frontend import replicas
from evergraph.frontend.specs import TypeSpec, type_spec_from_value
from evergraph.graph.convert import convert_to_tensor, register_tensor_conversion_function
from evergraph.run.fetches import register_session_run_conversion_functions


class DistributedValues:
    """A value for each replica.

    Args:
        values: as many as there are replicas.

    Attributes:
        values: the same, a tuple.
    """

    def __init__(self, values: Sequence[Any]) -> None:
        self.values = self._values = tuple(values)

    def get(self) -> Any:
        """The value of the replica that the code runs for.

        Raises:
            ValueError: the code runs for all replicas.
        """
        found = _number()
        if found is None:
            raise ValueError(f"{self} has a value for each replica, and no replica has asked for its own: call "
                             "strategy.reduce or strategy.experimental_local_results outside of a replica's function")
        return self.values[found]

    @property
    def primary(self) -> Any:
        """The value of the first replica."""
        return self.values[0]

    @property
    def is_tensor_like(self) -> bool:
        """Whether all values are tensors, or what can stand for one."""
        return all(hasattr(value, "dtype") for value in self.values)

    def _components(self) -> list[Any]:
        return list(self.values)

    @classmethod
    def _from_components(cls, parts: Sequence[Any]) -> Any:
        return cls(parts)

    def __repr__(self) -> str:
        inside = ",\n".join(f"  {number}: {value!r}" for number, value in enumerate(self.values))
        return f"{type(self).__name__}:{{\n{inside}\n}}"


class PerReplicaSpec(TypeSpec):
    """What is known of a value for each replica.

    Args:
        *value_specs: the spec of each.
    """

    def __init__(self, *value_specs: TypeSpec) -> None:
        self.value_specs = value_specs

    def _parts(self) -> tuple[Any, ...]:
        return self.value_specs

    def __repr__(self) -> str:
        return f"PerReplicaSpec{self.value_specs}"


class PerReplica(DistributedValues):
    """A value for each replica, which may differ."""

    @property
    def _type_spec(self) -> PerReplicaSpec:
        return PerReplicaSpec(*(type_spec_from_value(value) for value in self.values))


PerReplicaSpec.value_type = PerReplica


class Mirrored(DistributedValues):
    """The same value on the device of each replica."""

    def get(self) -> Any:
        """The copy for the replica that the code runs for; the first one where it runs for all of them."""
        return self.values[_number() or 0]

    def _as_graph_element(self) -> Any:
        found = self.get()
        return found._as_graph_element() if hasattr(found, "_as_graph_element") else found

    def __getattr__(self, name: str) -> Any:
        if name.startswith("_"):
            raise AttributeError(name)
        return getattr(self.get(), name)


def _number() -> int | None:
    """Whose turn it is: the number of the replica, or of the copy that is updated; None for all together."""
    inside = replicas.current()
    if inside is None:
        return None
    return inside.copy if inside.replica is None else inside.replica.number


def _converted(value: DistributedValues, dtype: Any = None, name: str | None = None, as_ref: bool = False) -> Any:
    return convert_to_tensor(value.get(), dtype, name=name)


register_tensor_conversion_function(DistributedValues, _converted)
register_session_run_conversion_functions(PerReplica, lambda value: (list(value.values), PerReplica))
register_session_run_conversion_functions(Mirrored, lambda value: ([value._as_graph_element()], lambda found: found[0]))


# ---- structures

def selected(number: int, structure: Any) -> Any:
    """A structure with the value of one replica in place of the values of all."""
    if isinstance(structure, DistributedValues):
        return structure.values[number]
    return rebuilt(structure, [selected(number, part) for part in parts]) \
        if (parts := children(structure)) is not None else structure


def regrouped(structures: Sequence[Any], kind: Callable[[Sequence[Any]], Any] = PerReplica) -> Any:
    """One structure of the structures that the replicas returned; leaves that differ become one value for all.

    Raises:
        ValueError: the structures differ.
    """
    first = structures[0]
    parts = children(first)
    if parts is None:
        wholes = [replicas.whole(leaf) for leaf in structures]
        return wholes[0] if all(leaf is wholes[0] for leaf in wholes) else kind(structures)
    shapes = [_outline(structure) for structure in structures]
    if any(shape != shapes[0] for shape in shapes):
        raise ValueError(f"the replicas returned different structures: {list(structures)}")
    columns = zip(*(children(structure) or () for structure in structures))
    return rebuilt(first, [regrouped(column, kind) for column in columns])


def children(structure: Any) -> list[Any] | None:
    """The parts of a list, tuple or dict, in order; None for all else."""
    if isinstance(structure, Mapping):
        return [structure[key] for key in structure]
    return list(structure) if isinstance(structure, (list, tuple)) else None


def _outline(structure: Any) -> Any:
    return sorted(structure, key=repr) if isinstance(structure, Mapping) else (type(structure), len(structure)) \
        if isinstance(structure, (list, tuple)) else None


def rebuilt(like: Any, parts: Sequence[Any]) -> Any:
    """A list, tuple or dict with other parts."""
    if isinstance(like, Mapping):
        made = dict(zip(like, parts))
        return made if type(like) is dict else type(like)(made)
    if hasattr(like, "_fields"):
        return tuple.__new__(type(like), parts)
    return type(like)(parts)


def local_values(value: Any) -> tuple[Any, ...]:
    """The values of all replicas, of which there is one where a value is not distributed."""
    return value.values if isinstance(value, DistributedValues) else \
        tuple(value._parts) if hasattr(value, "_parts") else (value,)


def flat_values(structure: Any) -> list[Any]:
    """All tensors and operations in a structure, with those of each replica."""
    return [each for leaf in nest.flatten(structure) for each in local_values(leaf)]
