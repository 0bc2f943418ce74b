"""Programs that write and ask SavedModels; both TensorFlow and evergraph run them, so `tf` is whichever asks."""

import os

import numpy as np

from tests.interop import functions


def write_models(tf, folder):
    """Writes a model of each kind below a folder; gives back name -> [(tags, signature, feeds, results)]."""
    return {name: write(tf, f"{folder}/{name}") for name, write in WRITERS.items()}


def ask_model(tf, folder, tags, key, feeds):
    """What a signature of a model answers."""
    with tf.Graph().as_default(), tf.Session() as session:
        signature = tf.saved_model.loader.load(session, tags, folder).signature_def[key]
        return answers(tf, session, signature, feeds)


def answers(tf, session, signature, feeds):
    found = {name: tf.saved_model.get_tensor_from_tensor_info(info) for name, info in signature.inputs.items()}
    asked = {name: tf.saved_model.get_tensor_from_tensor_info(info) for name, info in signature.outputs.items()}
    values = {found[name]: tf.SparseTensorValue(*value) if isinstance(value, tuple) else value
              for name, value in feeds.items()}  # fmt: skip
    return {name: np.asarray(value) for name, value in session.run(asked, values).items()}


def simple(tf, folder):
    """Both kinds of variables, by `simple_save`."""
    with tf.Graph().as_default(), tf.Session() as session:
        x = tf.placeholder(tf.float32, [None, 3], name="x")
        w = tf.get_variable("w", initializer=np.arange(6, dtype=np.float32).reshape(3, 2))
        b = tf.get_variable("b", initializer=[0.5, -0.5], use_resource=True)
        y = tf.nn.softmax(tf.matmul(x, w) + b)
        session.run(tf.global_variables_initializer())
        feeds = {"x": np.array([[1, 2, 3], [0.1, 0.2, 0.3]], np.float32)}
        tf.saved_model.simple_save(session, folder, {"x": x}, {"y": y, "doubled": x * 2.0})
        wanted = {"y": session.run(y, {x: feeds["x"]}), "doubled": feeds["x"] * 2}
    return [(["serve"], "serving_default", feeds, wanted)]


def several(tf, folder, as_text=False):
    """Two graphs over one set of variables, one of them in parts; a sparse input; an operation to run at loading."""
    tables = tf.saved_model
    builder = tables.builder.SavedModelBuilder(folder)
    asked = []
    for tags, scale in ((["train"], 1.0), (["serve", "gpu"], 10.0)):
        with tf.Graph().as_default(), tf.Session() as session:
            table = tf.get_variable("table", initializer=tf.constant(np.arange(20, dtype=np.float32).reshape(10, 2)),
                                    partitioner=tf.fixed_size_partitioner(3))  # fmt: skip
            offset = tf.get_variable("offset", initializer=0.0, collections=[tf.GraphKeys.LOCAL_VARIABLES])
            ids = tf.sparse_placeholder(tf.int64, name="ids")
            y = tf.nn.embedding_lookup_sparse(table, ids, None, combiner="sum", partition_strategy="div") * scale
            op = tf.group(tf.assign(offset, 3.0))
            session.run([tf.global_variables_initializer(), op])
            signature = tables.predict_signature_def({"ids": ids}, {"y": y + offset})
            feeds = {"ids": (np.array([[0, 0], [0, 1], [1, 0]], np.int64), np.array([1, 9, 4], np.int64),
                             np.array([2, 2], np.int64))}  # fmt: skip
            wanted = session.run(y + offset, {ids: tf.SparseTensorValue(*feeds["ids"])})
            if not asked:
                builder.add_meta_graph_and_variables(session, tags, {"rows": signature}, main_op=op)
            else:
                builder.add_meta_graph(tags, {"rows": signature}, legacy_init_op=op, clear_devices=True)
            asked.append((tags, "rows", feeds, {"y": wanted}))
    builder.save(as_text=as_text)
    return asked


def text(tf, folder):
    return several(tf, folder, as_text=True)


def assets(tf, folder):
    """A vocabulary in a file, a table of it, and rows for its words."""
    source = f"{folder}_source"
    os.makedirs(source, exist_ok=True)
    with open(f"{source}/words.txt", "w") as file:
        file.write("apple\nbanana\ncherry\n")
    with tf.Graph().as_default(), tf.Session() as session:
        initializer = tf.lookup.TextFileInitializer(
            f"{source}/words.txt", tf.string, tf.lookup.TextFileIndex.WHOLE_LINE, tf.int64,
            tf.lookup.TextFileIndex.LINE_NUMBER)  # fmt: skip
        table = tf.lookup.StaticVocabularyTable(initializer, 2)
        words = tf.placeholder(tf.string, [None], name="words")
        ids = table.lookup(words)
        rows = tf.gather(tf.get_variable("rows", initializer=np.arange(10, dtype=np.float32).reshape(5, 2)), ids)
        session.run([tf.global_variables_initializer(), tf.tables_initializer()])
        feeds = {"words": np.array([b"cherry", b"durian", b"apple"], object)}
        wanted = dict(zip(("ids", "rows"), session.run([ids, rows], {words: feeds["words"]})))
        tf.saved_model.simple_save(session, folder, {"words": words}, {"ids": ids, "rows": rows},
                                   legacy_init_op=tf.tables_initializer())  # fmt: skip
    os.remove(f"{source}/words.txt")
    return [(["serve"], "serving_default", feeds, wanted)]


def branching(tf, folder):
    """Loops and branches, and the three kinds of signatures of a server."""
    with tf.Graph().as_default(), tf.Session() as session:
        names = tf.placeholder(tf.string, [None], name="names")
        x = tf.string_to_number(names)
        gain = tf.get_variable("gain", initializer=1.5)
        _, y = tf.while_loop(lambda i, a: i < 3, lambda i, a: (i + 1, tf.cond(
            tf.equal(i, 1), lambda: a * gain, lambda: a + 1.0)), [0, x])  # fmt: skip
        session.run(tf.global_variables_initializer())
        classes = tf.as_string(tf.cast(y, tf.int32))
        signatures = {"regress": tf.saved_model.regression_signature_def(names, y),
                      "classify": tf.saved_model.classification_signature_def(names, classes, y)}  # fmt: skip
        builder = tf.saved_model.Builder(folder)
        builder.add_meta_graph_and_variables(session, ["serve"], signatures, strip_default_attrs=True)
        builder.save()
        feeds = {"inputs": np.array([b"1", b"2.5"], object)}
        values, labels = session.run([y, classes], {names: feeds["inputs"]})
    return [(["serve"], "regress", feeds, {"outputs": values}),
            (["serve"], "classify", feeds, {"classes": labels, "scores": values})]  # fmt: skip


def write_frozen(tf, path):
    """A frozen graph with loops and branches of both kinds of variables; gives back what to feed and the result."""
    with tf.Graph().as_default() as graph, tf.Session() as session:
        x = tf.placeholder(tf.float32, [2], name="x")
        w = tf.get_variable("w", initializer=[[0.5, -1.0], [0.25, 1.5]])
        b = tf.get_variable("b", initializer=0.75, use_resource=True)
        step = lambda i, a: (i + 1, tf.cond(
            tf.reduce_sum(a) > 1.0, lambda: tf.squeeze(tf.matmul([a], w), 0) + b, lambda: a * 2.0 - b))  # fmt: skip
        _, y = tf.while_loop(lambda i, a: i < 5, step, [0, x])
        y = tf.identity(y, name="y")
        session.run(tf.global_variables_initializer())
        frozen = tf.graph_util.convert_variables_to_constants(session, graph.as_graph_def(), ["y"])
        with open(path, "wb") as file:
            file.write(frozen.SerializeToString())
        value = np.array([0.3, 1.1], np.float32)
        return value, session.run(y, {x: value})


def run_frozen(tf, path, value):
    message = tf.GraphDef()
    with open(path, "rb") as file:
        message.ParseFromString(file.read())
    with tf.Graph().as_default(), tf.Session() as session:
        (y,) = tf.import_graph_def(message, return_elements=["y:0"])
        return session.run(y, {"import/x:0": value})


WRITERS = {each.__name__: each for each in (simple, several, text, assets, branching)}


# ---- what only TensorFlow writes


def write_estimator(tf, folder):
    """A trained classifier that takes serialized Examples, as `export_saved_model` writes it."""
    columns = [tf.feature_column.numeric_column("x", shape=[2]), tf.feature_column.indicator_column(
        tf.feature_column.categorical_column_with_vocabulary_list("kind", ["a", "b"]))]  # fmt: skip
    spec = tf.feature_column.make_parse_example_spec(columns)

    def batches():
        features = {"x": np.array([[1, 2], [3, 4], [0, 1]], np.float32), "kind": np.array([b"a", b"b", b"c"])}
        return tf.data.Dataset.from_tensors((features, np.array([0, 1, 0]))).repeat(5)

    model = tf.estimator.DNNClassifier([4, 3], columns, model_dir=f"{folder}_training", config=tf.estimator.RunConfig(
        tf_random_seed=1))  # fmt: skip
    model.train(batches)
    path = model.export_saved_model(folder, tf.estimator.export.build_parsing_serving_input_receiver_fn(spec))

    def example(x, kind):
        feature = tf.train.Feature
        return tf.train.Example(features=tf.train.Features(feature={
            "x": feature(float_list=tf.train.FloatList(value=x)),
            "kind": feature(bytes_list=tf.train.BytesList(value=[kind]))})).SerializeToString()  # fmt: skip

    feeds = np.array([example([1.0, 2.0], b"b"), example([-1.0, 0.5], b"z")], object)
    asked = []
    for key, name in (("serving_default", "inputs"), ("predict", "examples")):
        asked.append((["serve"], key, {name: feeds}, ask_model(tf, path.decode(), ["serve"], key, {name: feeds})))
    return path.decode(), asked


def write_objects(tf, folder):
    """What TensorFlow 2 saves: a module with state, branches and an asset; Keras models."""
    tf.enable_v2_behavior()
    import tensorflow as tf2

    with open(f"{folder}/words.txt", "w") as file:
        file.write("apple\nbanana\n")

    class Module(tf2.Module):
        def __init__(self):
            self.w = tf2.Variable(np.arange(6, dtype=np.float32).reshape(3, 2))
            self.count = tf2.Variable(0)
            self.asset = tf2.saved_model.Asset(f"{folder}/words.txt")
            self.table = tf2.lookup.StaticHashTable(tf2.lookup.TextFileInitializer(
                self.asset, tf2.string, tf2.lookup.TextFileIndex.WHOLE_LINE, tf2.int64,
                tf2.lookup.TextFileIndex.LINE_NUMBER), -1)  # fmt: skip

        @tf2.function(input_signature=[tf2.TensorSpec([None, 3]), tf2.TensorSpec([None], tf2.string)])
        def answer(self, x, s):
            self.count.assign_add(1)
            y = tf2.matmul(x, self.w)
            if tf2.reduce_sum(y) > 10.0:
                y *= 2.0
            for i in tf2.range(3):
                y += tf2.cast(i, tf2.float32)
            return {"y": y, "diagonal": tf2.linalg.diag(y), "count": self.count.read_value(),
                    "ids": self.table.lookup(s)}  # fmt: skip

    module = Module()
    feeds = {"x": np.ones([2, 3], np.float32), "s": np.array([b"banana", b"none"], object)}
    tf2.saved_model.save(module, f"{folder}/module", signatures=module.answer)
    wanted = {name: value.numpy() for name, value in module.answer(**feeds).items()}
    asked = {"module": [(["serve"], "serving_default", feeds, wanted)]}

    layers = tf2.keras.layers
    rng = np.random.RandomState(0)
    words = np.array([[b"The cat sat."], [b"A dog, a cat!"]], object)
    vectors = layers.TextVectorization(vocabulary=["cat", "dog", "a"])
    models = {
        "convolution": ([8, 8, 3], None, [layers.Conv2D(4, 3, activation="relu"), layers.BatchNormalization(),
                                          layers.DepthwiseConv2D(3), layers.MaxPooling2D(), layers.Flatten(),
                                          layers.Dropout(0.5), layers.Dense(3, activation="softmax")]),
        "recurrent": ([6, 3], None, [layers.Bidirectional(layers.LSTM(4, return_sequences=True)), layers.GRU(3),
                                     layers.LayerNormalization(), layers.Dense(2, activation="gelu")]),
        "words": ([1], words, [vectors, layers.Embedding(6, 4, mask_zero=True), layers.GlobalAveragePooling1D()]),
    }  # fmt: skip
    for name, (shape, x, stack) in models.items():
        model = tf2.keras.Sequential([tf2.keras.Input(shape, dtype="float32" if x is None else "string"), *stack])
        x = rng.rand(2, *shape).astype(np.float32) if x is None else x
        tf2.saved_model.save(model, f"{folder}/{name}")
        (key,) = tf2.saved_model.load(f"{folder}/{name}").signatures["serving_default"].structured_input_signature[1]
        result = model(tf2.constant(x), training=False).numpy()
        asked[name] = [(["serve"], "serving_default", {key: x}, {None: result})]
    matrix = (rng.rand(3, 4) * 2 - 1).astype(np.float32)
    return asked | {"functions": functions.save(tf2, f"{folder}/functions", matrix)}
