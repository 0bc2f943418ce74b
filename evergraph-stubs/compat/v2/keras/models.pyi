# Written by `python -m evergraph.api.generate`; not edited by hand.
"""tf.compat.v2.keras.models."""

from evergraph.keras import Model as Model
from evergraph.keras import Sequential as Sequential
from evergraph.keras.models import clone_model as clone_model
from evergraph.keras.models import load_model as load_model
from evergraph.keras.models import model_from_config as model_from_config
from evergraph.keras.models import model_from_json as model_from_json
from evergraph.keras.models import model_from_yaml as model_from_yaml
from evergraph.keras.models import save_model as save_model
