# Written by `python -m evergraph.api.generate`; not edited by hand.
"""tf.compat.v2.keras.callbacks."""

from evergraph.keras.callbacks import BaseLogger as BaseLogger
from evergraph.keras.callbacks import CSVLogger as CSVLogger
from evergraph.keras.callbacks import Callback as Callback
from evergraph.keras.callbacks import EarlyStopping as EarlyStopping
from evergraph.keras.callbacks import History as History
from evergraph.keras.callbacks import LambdaCallback as LambdaCallback
from evergraph.keras.callbacks import LearningRateScheduler as LearningRateScheduler
from evergraph.keras.callbacks import ModelCheckpoint as ModelCheckpoint
from evergraph.keras.callbacks import ProgbarLogger as ProgbarLogger
from evergraph.keras.callbacks import ReduceLROnPlateau as ReduceLROnPlateau
from evergraph.keras.callbacks import RemoteMonitor as RemoteMonitor
from evergraph.keras.callbacks import TerminateOnNaN as TerminateOnNaN
