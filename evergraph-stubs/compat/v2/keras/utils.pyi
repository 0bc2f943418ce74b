# Written by `python -m evergraph.api.generate`; not edited by hand.
"""tf.compat.v2.keras.utils."""

from evergraph.keras.utils import CustomObjectScope as CustomObjectScope
from evergraph.keras.utils import GeneratorEnqueuer as GeneratorEnqueuer
from evergraph.keras.utils import OrderedEnqueuer as OrderedEnqueuer
from evergraph.keras.utils import Progbar as Progbar
from evergraph.keras.utils import Sequence as Sequence
from evergraph.keras.utils import SequenceEnqueuer as SequenceEnqueuer
from evergraph.keras.utils import custom_object_scope as custom_object_scope
from evergraph.keras.utils import deserialize_keras_object as deserialize_keras_object
from evergraph.keras.utils import get_custom_objects as get_custom_objects
from evergraph.keras.utils import get_file as get_file
from evergraph.keras.utils import get_source_inputs as get_source_inputs
from evergraph.keras.utils import model_to_dot as model_to_dot
from evergraph.keras.utils import normalize as normalize
from evergraph.keras.utils import plot_model as plot_model
from evergraph.keras.utils import serialize_keras_object as serialize_keras_object
from evergraph.keras.utils import to_categorical as to_categorical
