"""Programs that train tf.keras models; evergraph's histories, predictions and weights must be TensorFlow's.

A program is a function of (tf, K), K being tf.keras.layers; it returns a dict of lists of numbers. Models start with
the numbers of a seed, and no layer has a bias before batch normalization: its gradient would be rounding noise alone.
"""

import numpy as np

PROGRAMS = {}


def program(function):
    PROGRAMS[function.__name__] = function
    return function


def random(seed=0):
    return np.random.RandomState(seed)


def filled(model, seed=1):
    """The model, its weights drawn from a seed; variances stay positive."""
    numbers = random(seed)
    model.set_weights([np.abs(numbers.randn(*value.shape)).astype(value.dtype) if "variance" in variable.name else
                       (0.4 * numbers.randn(*value.shape)).astype(value.dtype)
                       for variable, value in zip(model.weights, model.get_weights())])
    return model


def data(count=48, features=6, classes=3):
    numbers = random()
    return numbers.rand(count, features).astype("float32"), numbers.randint(0, classes, count)


def classifier(tf, K):
    return filled(tf.keras.Sequential([K.Dense(8, activation="relu", use_bias=False, input_shape=(6,)),
                                       K.BatchNormalization(), K.Dense(3, activation="softmax")]))


def fitted(model, *args, **kwargs):
    """The history of a fit in the order of the data, and what the model predicts afterwards."""
    history = model.fit(*args, **{"batch_size": 16, "epochs": 3, "shuffle": False, "verbose": 0, **kwargs})
    return {name: [float(each) for each in values] for name, values in history.history.items()}


def optimizer_program(name, make):
    def train(tf, K):
        x, y = data()
        model = classifier(tf, K)
        model.compile(make(tf), "sparse_categorical_crossentropy", metrics=["accuracy"])
        return fitted(model, x, y, validation_split=0.25) | {"predicted": model.predict(x[:4]).ravel().tolist()}
    PROGRAMS[name] = train


for _name, _make in {
    "sgd": lambda tf: "sgd",
    "sgd_with_momentum": lambda tf: tf.keras.optimizers.SGD(0.05, momentum=0.9, nesterov=True, decay=0.01),
    "rmsprop": lambda tf: "rmsprop",
    "rmsprop_centered": lambda tf: tf.keras.optimizers.RMSprop(0.01, momentum=0.5, centered=True),
    "adagrad": lambda tf: "adagrad",
    "adadelta": lambda tf: "adadelta",
    "adam": lambda tf: "adam",
    "amsgrad": lambda tf: tf.keras.optimizers.Adam(0.01, amsgrad=True, clipvalue=0.05),
    "adamax": lambda tf: "adamax",
    "nadam": lambda tf: "nadam",
    "ftrl": lambda tf: tf.keras.optimizers.Ftrl(0.1, l1_regularization_strength=0.01),
    "clipped": lambda tf: tf.keras.optimizers.SGD(0.5, clipnorm=0.1),
    "scheduled": lambda tf: tf.keras.optimizers.SGD(
        tf.keras.optimizers.schedules.ExponentialDecay(0.5, 4, 0.5, staircase=True)),
    "of_tf_train": lambda tf: tf.train.AdamOptimizer(0.01),
}.items():
    optimizer_program(_name, _make)


def two_headed(tf, K):
    a, b = tf.keras.Input((6,), name="a"), tf.keras.Input((2,), name="b")
    both = K.Dense(5, activation="tanh", name="hidden")(K.Concatenate()([a, b]))
    return filled(tf.keras.Model([a, b], [K.Dense(3, activation="softmax", name="kind")(both),
                                          K.Dense(1, name="size")(both)]))


def two_headed_data():
    x, y = data()
    more = random(3)
    return [x, more.rand(48, 2).astype("float32")], [y, more.rand(48, 1).astype("float32")]


@program
def several_outputs(tf, K):
    x, y = two_headed_data()
    model = two_headed(tf, K)
    model.compile("adam", ["sparse_categorical_crossentropy", "mse"], metrics={"kind": ["accuracy"], "size": "mae"},
                  loss_weights={"kind": 0.5, "size": 2.0})
    found = fitted(model, x, y, validation_data=(x, y))
    return found | {"evaluated": [float(each) for each in model.evaluate(x, y, verbose=0)]}


@program
def weights_by_name(tf, K):
    x, y = two_headed_data()
    weight = random(5).rand(48)
    model = two_headed(tf, K)
    model.compile("sgd", ["sparse_categorical_crossentropy", "mse"], weighted_metrics=["mae"])
    return fitted(model, {"a": x[0], "b": x[1]}, {"kind": y[0], "size": y[1]}, sample_weight={"size": weight})


@program
def class_weights(tf, K):
    x, y = data()
    model = classifier(tf, K)
    model.compile("sgd", "sparse_categorical_crossentropy", metrics=["accuracy"], weighted_metrics=["accuracy"])
    return fitted(model, x, y, class_weight={0: 1.0, 1: 3.0, 2: 0.5}, sample_weight=random(4).rand(48))


@program
def metrics_of_all_kinds(tf, K):
    x, y = data(classes=2)
    model = filled(tf.keras.Sequential([K.Dense(4, activation="tanh", input_shape=(6,)),
                                        K.Dense(1, activation="sigmoid")]))
    M = tf.keras.metrics
    model.compile("sgd", "binary_crossentropy", metrics=[
        "accuracy", "mse", "mae", "ce", M.AUC(num_thresholds=20, name="auc"), M.Precision(name="precision"),
        M.Recall(name="recall"), M.TruePositives(name="tp"), M.FalseNegatives(name="fn"),
        M.SensitivityAtSpecificity(0.4, 20, name="sensitivity"), M.RootMeanSquaredError(name="rmse"),
        M.MeanRelativeError([[1.0]], name="relative"), M.Hinge(name="hinge"), M.LogCoshError(name="logcosh")])
    return fitted(model, x, y.reshape(-1, 1))


@program
def losses_of_all_kinds(tf, K):
    x, _ = data()
    y = np.abs(random(6).rand(48, 3)).astype("float32")
    found = {}
    for loss in ("mse", "mae", "mape", "msle", "hinge", "squared_hinge", "categorical_hinge", "logcosh", "kld",
                 "poisson", "cosine_similarity", "categorical_crossentropy",
                 tf.keras.losses.Huber(0.1), tf.keras.losses.MeanSquaredError("sum")):
        model = classifier(tf, K)
        model.compile(tf.keras.optimizers.SGD(0.01), loss)
        name = loss if isinstance(loss, str) else type(loss).__name__
        found[name] = fitted(model, x, y, epochs=2)["loss"]
    return found


@program
def penalties_and_added_losses(tf, K):
    x, y = data()
    inputs = tf.keras.Input((6,))
    hidden = K.Dense(4, kernel_regularizer=tf.keras.regularizers.l2(0.1), activity_regularizer="l1")(inputs)
    model = tf.keras.Model(inputs, K.Dense(3, activation="softmax")(hidden))
    model.add_loss(0.1 * tf.reduce_sum(tf.abs(hidden)) / 16.0)
    model.add_metric(tf.reduce_mean(hidden), name="mean_hidden", aggregation="mean")
    filled(model).compile("sgd", "sparse_categorical_crossentropy", metrics=["accuracy"])
    return fitted(model, x, y)


@program
def sequences_with_weights(tf, K):
    x, y = random().randint(0, 5, (32, 4)), random(2).rand(32, 4, 2).astype("float32")
    model = filled(tf.keras.Sequential([K.Embedding(5, 3, input_length=4), K.LSTM(3, return_sequences=True),
                                        K.Dense(2)]))
    model.compile("rmsprop", "mse", metrics=["mae"], sample_weight_mode="temporal")
    return fitted(model, x, y) | {"weighted": fitted(model, x, y, sample_weight=random(7).rand(32, 4))["loss"]}


@program
def stateful_sequences(tf, K):
    x, y = random().rand(16, 3, 2).astype("float32"), random(2).rand(16, 1).astype("float32")
    model = filled(tf.keras.Sequential([K.LSTM(3, stateful=True, batch_input_shape=(8, 3, 2)), K.Dense(1)]))
    model.compile("sgd", "mse")
    found = fitted(model, x, y, batch_size=8)
    first, second = (model.predict(x, batch_size=8).ravel().tolist() for _ in range(2))
    model.reset_states()
    return found | {"first": first, "second": second, "reset": model.predict(x, batch_size=8).ravel().tolist()}


@program
def switched_layers(tf, K):
    x, y = data()
    model = classifier(tf, K)
    found = {}
    for name, trainable in (("all", True), ("frozen", False), ("again", True)):
        for layer in model.layers[:2]:
            layer.trainable = trainable
        model.compile("sgd", "sparse_categorical_crossentropy")
        found[name] = fitted(model, x, y)["loss"]
        found[f"{name}_weights"] = [float(np.sum(value)) for value in model.get_weights()]
    return found


@program
def batches_alone(tf, K):
    x, y = data()
    model = classifier(tf, K)
    model.compile("adam", "sparse_categorical_crossentropy", metrics=["accuracy"])
    numbers = lambda values: [float(each) for each in values]
    return {"trained": numbers(model.train_on_batch(x[:16], y[:16])),
            "weighted": numbers(model.train_on_batch(x[:16], y[:16], sample_weight=random(8).rand(16))),
            "continued": numbers(model.train_on_batch(x[16:32], y[16:32], reset_metrics=False)),
            "tested": numbers(model.test_on_batch(x[32:], y[32:], reset_metrics=False)),
            "predicted": model.predict_on_batch(x[:2]).ravel().tolist()}


@program
def generators(tf, K):
    x, y = data()

    def batches():
        while True:
            for start in range(0, 48, 16):
                yield x[start:start + 16], y[start:start + 16]
    model = classifier(tf, K)
    model.compile("sgd", "sparse_categorical_crossentropy", metrics=["accuracy"])
    history = model.fit_generator(batches(), steps_per_epoch=3, epochs=2, verbose=0, validation_data=batches(),
                                  validation_steps=3)
    found = {name: [float(each) for each in values] for name, values in history.history.items()}
    return found | {"evaluated": [float(each) for each in model.evaluate_generator(batches(), 3)],
                    "predicted": model.predict_generator(batches(), 2).ravel().tolist()}


@program
def datasets(tf, K):
    x, y = data()
    model = classifier(tf, K)
    model.compile("sgd", "sparse_categorical_crossentropy", metrics=["accuracy"])
    dataset = tf.data.Dataset.from_tensor_slices((x, y)).batch(16)
    history = model.fit(dataset.repeat(), steps_per_epoch=3, epochs=2, verbose=0, validation_data=dataset,
                        validation_steps=3)
    return {name: [float(each) for each in values] for name, values in history.history.items()}


@program
def shuffled(tf, K):
    x, y = data()
    model = classifier(tf, K)
    model.compile("sgd", "sparse_categorical_crossentropy")
    np.random.seed(3)
    return fitted(model, x, y, shuffle=True)


@program
def rates_by_callbacks(tf, K):
    x, y = data()
    model = classifier(tf, K)
    model.compile("sgd", "sparse_categorical_crossentropy")
    C = tf.keras.callbacks
    return fitted(model, x, y, epochs=5, callbacks=[
        C.LearningRateScheduler(lambda epoch: 0.1 / (1 + epoch)), C.EarlyStopping("loss", min_delta=10.0, patience=3)])


@program
def projected_weights(tf, K):
    x, y = data()
    at_most = tf.keras.constraints.MaxNorm(0.5)
    model = filled(tf.keras.Sequential([K.Dense(4, input_shape=(6,), kernel_constraint=at_most,
                                                bias_constraint="non_neg"), K.Dense(3, activation="softmax")]))
    model.compile("adam", "sparse_categorical_crossentropy")
    return fitted(model, x, y) | {"weights": np.concatenate([value.ravel() for value in model.get_weights()]).tolist()}


@program
def a_generator_and_its_judge(tf, K):
    """The moving averages of a model inside of another one follow the batches that the outer one is trained on."""
    norm = K.BatchNormalization(momentum=0.8)
    maker = filled(tf.keras.Sequential([K.Dense(5, use_bias=False, input_shape=(2,)), norm,
                                        K.Dense(6, activation="tanh")]))
    judge = filled(tf.keras.Sequential([K.Dense(4, activation="relu", input_shape=(6,)),
                                        K.Dense(1, activation="sigmoid")]), 2)
    judge.compile("sgd", "binary_crossentropy")
    judge.trainable = False
    noise = tf.keras.Input((2,))
    both = tf.keras.Model(noise, judge(maker(noise)))
    both.compile(tf.keras.optimizers.SGD(0.1), "binary_crossentropy")
    found, numbers, (x, _) = [], random(4), data()
    for start in range(0, 48, 16):
        drawn = numbers.randn(16, 2)
        made = maker.predict(drawn)
        found += [float(judge.train_on_batch(x[start:start + 16], np.ones(16))),
                  float(judge.train_on_batch(made, np.zeros(16))), float(both.train_on_batch(drawn, np.ones(16)))]
    return {"losses": found, "moving": np.concatenate(norm.get_weights()).tolist(),
            "made": maker.predict(drawn).ravel().tolist()}


@program
def cells_of_the_program(tf, K):
    class Cell(K.Layer):
        def __init__(self, units, **kwargs):
            self.units = self.state_size = units
            super().__init__(**kwargs)

        def build(self, shape):
            self.kernel = self.add_weight(name="kernel", shape=(int(shape[-1]), self.units))
            self.again = self.add_weight(name="again", shape=(self.units, self.units))

        def call(self, inputs, states):
            state = tf.tanh(tf.matmul(inputs, self.kernel) + tf.matmul(states[0], self.again))
            return state, [state]

        def get_config(self):
            return {**super().get_config(), "units": self.units}

    x, y = data()
    model = filled(tf.keras.Sequential([K.Reshape((3, 2), input_shape=(6,)),
                                        K.Bidirectional(K.RNN([Cell(4), K.GRUCell(3), Cell(2)])),
                                        K.Dense(3, activation="softmax")]))
    model.compile("adam", "sparse_categorical_crossentropy")
    return fitted(model, x, y)
