"""What the docstrings of canned models have in common."""
from __future__ import annotations

from evergraph.base.docstrings import with_parts

documented = with_parts(
    classes="""n_classes: the number of classes.
        weight_column: the name of the feature with the weights of examples, or a numeric column.
        label_vocabulary: the labels, strings; without them labels are integers from 0 to n_classes - 1.""",
    numbers="""label_dimension: how many numbers a label has.
        weight_column: the name of the feature with the weights of examples, or a numeric column.""",
    head="""head: computes losses, predictions and metrics from logits: one of tf.estimator's or tf.contrib.estimator's
            heads.""",
    common="""model_dir: the directory of checkpoints and events.
        config: a tf.estimator.RunConfig.""",
    warm="""warm_start_from: a checkpoint, a SavedModel, or a tf.estimator.WarmStartSettings to start from.""",
    reduction="""loss_reduction: how the losses of examples become one loss: one of tf.losses.Reduction.""",
    keras_reduction="""loss_reduction: how the losses of examples become one loss: one of tf.keras.losses.Reduction.""",
    optimizer="""optimizer: a tf.train.Optimizer, a function without arguments that returns one, or a name: "Adagrad",
            "Adam", "Ftrl", "RMSProp" or "SGD".""",
    keras_optimizer="""optimizer: a tf.keras optimizer, a function without arguments that returns one, or a name:
            "Adagrad", "Adam", "Ftrl", "RMSProp" or "SGD".""",
    network="""hidden_units: the sizes of the hidden layers.
        feature_columns: dense columns, the input.
        activation_fn: the activation function of the hidden layers.
        dropout: the share of each hidden layer's outputs that training drops, or None.
        batch_norm: whether each hidden layer is followed by batch normalization.""",
    rnn="""sequence_feature_columns: columns of sequences: `sequence_numeric_column`, or embeddings and indicators of
            `sequence_categorical_column_with_*`.
        context_feature_columns: dense columns, which every step sees.
        num_units: the sizes of the layers.
        cell_type: the class of the cells, or its name: "basic_rnn", "lstm" or "gru".
        rnn_cell_fn: a function of the mode that makes the cell, in place of `num_units` and `cell_type`.
        input_layer_partitioner: the partitioner of the variables of columns.""",
    keras_rnn="""sequence_feature_columns: columns of sequences: `sequence_numeric_column`, or embeddings and indicators
            of `sequence_categorical_column_with_*`.
        context_feature_columns: dense columns, which every step sees.
        units: the sizes of the layers.
        cell_type: a class of tf.keras cells, or a name: "simple_rnn", "lstm" or "gru".
        rnn_cell_fn: a function without arguments that makes the cell, in place of `units` and `cell_type`.""",
    wide="""linear_feature_columns: the columns of the linear part.
        linear_optimizer: its optimizer, as for `LinearClassifier`; by name with the learning rate min(0.005,
            1 / sqrt(number of columns)).
        dnn_feature_columns: the dense columns of the deep part.
        dnn_optimizer: its optimizer, as for `DNNClassifier`; by name with the learning rate 0.001.
        dnn_hidden_units: the sizes of the hidden layers.
        dnn_activation_fn: the activation function of the hidden layers.
        dnn_dropout: the share of each hidden layer's outputs that training drops, or None.
        batch_norm: whether each hidden layer is followed by batch normalization.
        linear_sparse_combiner: how the linear weights of several ids of an example are combined: "sum", "mean" or
            "sqrtn".""",
)
