"""Steps with strings and sets."""

from tests.random_graphs.maker import SIGNED

# text, dtype of the result
ONE = [
    ("tf.strings.upper({0})", "string"), ("tf.strings.lower({0})", "string"), ("tf.strings.length({0})", "int32"),
    ("tf.strings.length({0}, unit='UTF8_CHAR')", "int32"), ("tf.strings.strip({0})", "string"),
    ("tf.substr(tf.strings.join([{0}, 'abc']), 1, 2)", "string"), ("tf.regex_replace({0}, '[a-c]', '<')", "string"),
    ("tf.strings.regex_full_match({0}, '.*[01]')", "bool"), ("tf.string_to_hash_bucket_fast({0}, 100)", "int64"),
    ("tf.string_to_hash_bucket_strong({0}, 100, [3, 5])", "int64"), ("tf.encode_base64({0})", "string"),
    ("tf.decode_base64(tf.encode_base64({0}))", "string"), ("tf.strings.join([{0}, '-', {0}])", "string"),
    ("tf.equal({0}, tf.strings.lower({0}))", "bool"), ("tf.string_to_hash_bucket({0}, 100)", "int64"),
    ("tf.strings.substr({0}, 0, 2, unit='UTF8_CHAR')", "string"),
]  # fmt: skip


def one(maker):
    value = maker.find(("string",))
    if value is None:
        return None
    text, dtype = maker.dice.pick(ONE)
    return maker.emit(text, [value], dtype, value.shape, 100, 0)


def joined(maker):
    value = maker.find(("string",))
    if value is None:
        return None
    return maker.emit("tf.strings.join([{0}, {1}], separator='+')", [value, maker.like(value)], "string", value.shape)


def reduce_join(maker):
    value = maker.find(("string",), ranks=(1, 2))
    if value is None:
        return None
    axis = maker.dice.below(value.rank)
    return maker.emit(f"tf.reduce_join({{0}}, {axis}, separator=',')", [value], "string",
                      value.shape[:axis] + value.shape[axis + 1:])


def written(maker):
    value = maker.find((*SIGNED, "bool"))
    return value and maker.emit("tf.as_string({0})", [value], "string", value.shape)


def read_back(maker):
    value = maker.find(("int32", "int64", "int16"))
    if value is None:
        return None
    dtype = maker.dice.pick(["float32", "float64", "int32", "int64"])
    return maker.emit(f"tf.string_to_number(tf.as_string({{0}}), tf.{dtype})", [value], dtype, value.shape,
                      value.bound, 0)


def pieces(maker):
    value = maker.find(("string",), ranks=(1,))
    return value and maker.emit("tf.string_split({0}, '0').values", [value], "string", None)


def sets(maker):
    value = maker.find(("int32", "int64", "int16", "string"), ranks=(2,))
    if value is None:
        return None
    kind = maker.dice.pick(["intersection", "union", "difference"])
    found = f"tf.sets.{kind}({{0}}, {{1}})"
    other = maker.like(value)
    if maker.dice.chance(0.5):
        return maker.emit(f"tf.sets.size({found})", [value, other], "int32", value.shape[:1], 12)
    maker.emit(f"{found}.values", [value, other], value.dtype, None, value.bound)
    return None


OPS = [(3, one), (1, joined), (1, reduce_join), (1, written), (1, read_back), (0.5, pieces), (1.5, sets)]
