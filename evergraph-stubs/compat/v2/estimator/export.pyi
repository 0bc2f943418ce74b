# Written by `python -m evergraph.api.generate`; not edited by hand.
"""tf.compat.v2.estimator.export."""

from evergraph.estimator.export import ClassificationOutput as ClassificationOutput
from evergraph.estimator.export import ExportOutput as ExportOutput
from evergraph.estimator.export import PredictOutput as PredictOutput
from evergraph.estimator.export import RegressionOutput as RegressionOutput
from evergraph.estimator.export import ServingInputReceiver as ServingInputReceiver
from evergraph.estimator.export import TensorServingInputReceiver as TensorServingInputReceiver

from evergraph.estimator.export import (
    build_parsing_serving_input_receiver_fn as build_parsing_serving_input_receiver_fn,
)

from evergraph.estimator.export import build_raw_serving_input_receiver_fn as build_raw_serving_input_receiver_fn
