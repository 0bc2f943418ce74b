"""Modules to save and load, in TensorFlow as here: a model is written, loaded and asked by the same functions.

A row of `MODULES` is (a function that makes a module in a scratch folder, a function that asks one for numbers). A
module that was loaded gives what the one gives that was saved.
"""

import numpy as np

MODULES = {}


def module(asks):
    def note(makes):
        MODULES[makes.__name__] = (makes, asks)
        return makes

    return note


def write(tf, folder, scratch):
    """Saves every module below a folder; gives what each answers, by name."""
    answers = {}
    for name, (makes, asks) in MODULES.items():
        made, signatures = makes(tf, scratch)
        tf.saved_model.save(made, f"{folder}/{name}", signatures=signatures)
        answers[name] = plain(tf, asks(tf, made))
    return answers


def ask(tf, load, folder):
    """What the loaded modules answer, by name."""
    return {name: plain(tf, asks(tf, load(f"{folder}/{name}"))) for name, (_, asks) in MODULES.items()}


def plain(tf, answers):
    """Tensors and variables as arrays; composite ones as their dense forms."""
    found = []
    for value in answers:
        if isinstance(value, tf.SparseTensor):
            value = tf.sparse.to_dense(value)
        if isinstance(value, tf.RaggedTensor):
            value = value.to_tensor()
        array = np.asarray(value.numpy() if hasattr(value, "numpy") else value)
        found.append(array.astype("S") if array.dtype == object else array)
    return found


# ---- variables and functions


def ask_layers(tf, model):
    x = tf.constant([[1.0, -2.0, 0.5]])
    with tf.GradientTape() as tape:
        y = tf.reduce_sum(model(x))
    first, second = model.layers
    before = tape.gradient(y, [first.w, second.w, first.b])
    model.train(x, tf.constant([[1.0, 0.0]]))
    return [y, *before, model(x), model.train(x, tf.constant([[1.0, 0.0]])), first.w, model.steps, model.parts["b"][0]]


@module(ask_layers)
def nested(tf, scratch):
    class Dense(tf.Module):
        def __init__(self, inputs, outputs):
            super().__init__()
            self.w = tf.Variable(np.linspace(-1, 1, inputs * outputs).reshape(inputs, outputs).astype("f"), name="w")
            self.b = tf.Variable(np.full([outputs], 0.1, "f"), name="b")

        @tf.function(input_signature=[tf.TensorSpec([None, None])], autograph=False)
        def __call__(self, x):
            return tf.nn.tanh(tf.matmul(x, self.w) + self.b)

    class Model(tf.Module):
        def __init__(self):
            super().__init__()
            self.layers = [Dense(3, 4), Dense(4, 2)]
            self.parts = {"a": self.layers[0], "b": (tf.Variable([1, 2], trainable=False),)}
            self.steps = tf.Variable(0, trainable=False, dtype=tf.int64)

        @tf.function(input_signature=[tf.TensorSpec([None, 3])], autograph=False)
        def __call__(self, x):
            for layer in self.layers:
                x = layer(x)
            return x

        @tf.function(autograph=False)
        def train(self, x, wanted):
            weights = [v for layer in self.layers for v in (layer.w, layer.b)]
            with tf.GradientTape() as tape:
                loss = tf.reduce_mean(tf.square(self(x) - wanted))
            for v, gradient in zip(weights, tape.gradient(loss, weights)):
                v.assign_sub(0.1 * gradient)
            self.steps.assign_add(1)
            return loss

    model = Model()
    model.train.get_concrete_function(tf.TensorSpec([None, 3]), tf.TensorSpec([None, 2]))
    return model, {"serving_default": model.__call__.get_concrete_function()}


def ask_kinds(tf, model):
    x, many = tf.constant(2.0), tf.constant([1.0, 3.0])
    whole = model.f(many, flag=True)
    return [model.f(x)["y"], model.f(x, 3)["y"], model.f(many)["y"], whole["parts"][0], whole["parts"][1][0],
            float(whole["none"] is None), model.f(many, 2, flag=False)["y"], *model.pair([x, {"k": many}]),
            model.word("twice", x), model.product(a=x, b=many)["product"]]


@module(ask_kinds)
def kinds_of_arguments(tf, scratch):
    class Model(tf.Module):
        def __init__(self):
            super().__init__()
            self.scale = tf.Variable(1.5)
            self.large = tf.constant(np.arange(200.0).astype("f"))

        @tf.function(autograph=False)
        def f(self, x, by=2, *, flag=False):
            y = x * self.scale * float(by) + (self.large[3] if flag else 0.0)
            return {"y": y, "parts": [x, (y + 1.0,)], "none": None}

        @tf.function(autograph=False)
        def pair(self, both):
            return both[0] * both[1]["k"], both[1]["k"]

        @tf.function(autograph=False)
        def word(self, what, x):
            return x * 2.0 if what == "twice" else x

    model = Model()
    for args, kwargs in [((tf.constant(2.0),), {}), ((tf.constant(2.0), 3), {}),
                         ((tf.constant([1.0, 2.0]),), {}), ((tf.constant([1.0, 2.0]),), {"flag": True})]:
        model.f(*args, **kwargs)
    model.pair.get_concrete_function([tf.TensorSpec([]), {"k": tf.TensorSpec([None])}])
    model.word("twice", tf.constant(1.0)), model.word("once", tf.constant(1.0))
    product = tf.function(lambda a, b: {"product": a * b}, autograph=False).get_concrete_function(
        tf.TensorSpec([], name="a"), tf.TensorSpec([None], name="b"))
    model.product = product
    return model, {"pair": product}


def ask_composites(tf, model):
    sparse = tf.SparseTensor([[0, 1], [2, 0]], [3.0, 4.0], [3, 2])
    ragged = tf.ragged.constant([[1.0], [], [2.0, 3.0]])
    return [*model.sparse(sparse), *model.ragged(ragged)]


@module(ask_composites)
def composites(tf, scratch):
    class Model(tf.Module):
        @tf.function(input_signature=[tf.SparseTensorSpec([None, 2])], autograph=False)
        def sparse(self, x):
            return tf.sparse.reduce_sum(x, 1), tf.SparseTensor(x.indices, x.values * 2.0, x.dense_shape)

        @tf.function(input_signature=[tf.RaggedTensorSpec([None, None], tf.float32)], autograph=False)
        def ragged(self, x):
            return tf.reduce_sum(x, axis=1), x * 3.0

    return Model(), None


def ask_state(tf, model):
    return [model.step(tf.constant(2.0)), model.step(tf.constant(1.0)), model.count, model.total, *model.peek()]


@module(ask_state)
def state_in_order(tf, scratch):
    class Model(tf.Module):
        def __init__(self):
            super().__init__()
            self.count, self.total = tf.Variable(0), tf.Variable(1.0)

        @tf.function(input_signature=[tf.TensorSpec([])], autograph=False)
        def step(self, x):
            before = self.total.read_value()
            self.total.assign(before * 2.0 + x)
            self.count.assign_add(1)
            middle = self.total.read_value()
            self.total.assign_add(10.0)
            return tf.stack([before, middle, self.total.read_value()])

        @tf.function(input_signature=[], autograph=False)
        def peek(self):
            return self.count.read_value(), self.total.read_value()

    return Model(), None


def ask_control(tf, model):
    x = tf.constant(1.0)
    with tf.GradientTape() as tape:
        tape.watch(x)
        y = model.branch(x)
    return [model.loop(x), model.loop(tf.constant(9.0)), y, tape.gradient(y, x)]


@module(ask_control)
def control_flow(tf, scratch):
    class Model(tf.Module):
        def __init__(self):
            super().__init__()
            self.step = tf.Variable(3.0)

        @tf.function(input_signature=[tf.TensorSpec([])], autograph=False)
        def loop(self, x):
            return tf.while_loop(lambda i, a: i < 3, lambda i, a: (i + 1, self.branch(a)), [0, x])[1]

        @tf.function(input_signature=[tf.TensorSpec([])], autograph=False)
        def branch(self, x):
            return tf.cond(x > 5.0, lambda: x * 2.0, lambda: x * x + self.step)

    return Model(), None


def ask_loops(tf, model):
    def answers(function, *rest):
        x = tf.constant([0.5, -2.0, 3.0])
        with tf.GradientTape() as tape:
            tape.watch(x)
            y = function(x, *rest)
        return [y, tape.gradient(y, x)]

    return [*answers(model.powers, tf.constant(3)), *answers(model.limited), *answers(model.mapped)]


@module(ask_loops)
def differentiated_loops(tf, scratch):
    """TensorFlow differentiates loops that it has loaded if they use no variables."""

    class Model(tf.Module):
        @tf.function(input_signature=[tf.TensorSpec([None]), tf.TensorSpec([], tf.int32)], autograph=False)
        def powers(self, x, n):
            def row(i, a):
                inner = tf.while_loop(lambda j, b: j < i, lambda j, b: (j + 1, tf.sin(b) * 0.5 + x), [0, a])
                return i + 1, inner[1] * a

            return tf.while_loop(lambda i, a: i < n, row, [0, x])[1]

        @tf.function(input_signature=[tf.TensorSpec([None])], autograph=False)
        def limited(self, x):
            return tf.while_loop(lambda i, a: i < 9, lambda i, a: (i + 1, a * a + x), [0, x], maximum_iterations=3)[1]

        @tf.function(input_signature=[tf.TensorSpec([None])], autograph=False)
        def mapped(self, x):
            return tf.map_fn(lambda a: tf.cond(a > 0.0, lambda: a * a, lambda: tf.exp(a)), x)

    return Model(), None


def ask_tables(tf, model):
    return model.find(tf.constant(["b", "x", "c"]))


@module(ask_tables)
def tables(tf, scratch):
    class Model(tf.Module):
        def __init__(self, path):
            super().__init__()
            index = tf.lookup.TextFileIndex
            lines = tf.lookup.TextFileInitializer(path, tf.string, index.WHOLE_LINE, tf.int64, index.LINE_NUMBER)
            self.lines = tf.lookup.StaticHashTable(lines, -1)
            self.pairs = tf.lookup.StaticHashTable(tf.lookup.KeyValueTensorInitializer(["x", "y"], [7.0, 8.0]), 0.5)
            self.words = tf.lookup.StaticVocabularyTable(
                tf.lookup.KeyValueTensorInitializer(["b"], tf.constant([0], tf.int64)), 3)

        @tf.function(input_signature=[tf.TensorSpec([None], tf.string, name="words")], autograph=False)
        def find(self, words):
            return self.lines.lookup(words), self.pairs.lookup(words), self.words.lookup(words)

    with open(f"{scratch}/vocabulary.txt", "w") as file:
        file.write("a\nb\nc\n")
    return Model(f"{scratch}/vocabulary.txt"), None
