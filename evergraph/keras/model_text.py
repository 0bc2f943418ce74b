"""The configuration of a model as JSON and YAML."""
from __future__ import annotations

import json
from typing import Any

from evergraph.keras.as_json import as_json
from evergraph.keras.packages import imported
from evergraph.keras.version import VERSION


def described(model: Any) -> dict[str, Any]:
    """The class and configuration of a model, and the version of Keras that it is written for.

    Raises:
        NotImplementedError: it is a subclassed model without a configuration.
    """
    return {"class_name": type(model).__name__, "config": model.get_config(), "keras_version": VERSION,
            "backend": "tensorflow"}


def to_json(model: Any, **kwargs: Any) -> str:
    """The configuration of a model as JSON; the arguments are those of `json.dumps`."""
    return json.dumps(described(model), default=as_json, **kwargs)


def to_yaml(model: Any, **kwargs: Any) -> str:
    """The configuration of a model as YAML; the arguments are those of `yaml.dump`."""
    return str(yaml_package().dump(json.loads(to_json(model)), **kwargs))


def yaml_package() -> Any:
    """The package yaml; ImportError if it is not installed."""
    return imported("yaml", "a model as YAML")
