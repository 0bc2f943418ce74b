"""More rows of `make sweep`: ops on strings and bytes, tables of strings, parsing, and pipelines over text."""

import zlib

import numpy as np

from benchmarks.everyday import NUMBERS, SENTENCES, text
from benchmarks.files import scratch
from benchmarks.fragments import add, as_number, ids, numbers

WORDS = [f"word{number}" for number in ids(500, 4096)]
SPACED = [f"  {word}\t" for word in WORDS]
ACCENTS = [sentence.replace("o", "ö").encode() for sentence in SENTENCES]
VOCABULARY = [f"word{number}" for number in range(500)]
INTEGERS = [str(number) for number in ids(100000, 4096)]
CODED = ["d29yZDEyMyB3b3JkNDU2IHdvcmQ3ODk" + end for end in ids(10, 1024).astype(str)]


def _lengths(of):
    """A row that makes strings ends in their lengths."""
    return lambda tf, s: tf.strings.length(of(tf, s))


# ---- one string, one result

text("string_length of words", lambda tf, s: tf.strings.length(s), WORDS)
text("string_length of characters", lambda tf, s: tf.strings.length(s, unit="UTF8_CHAR"), ACCENTS)
text("string_upper", _lengths(lambda tf, s: tf.strings.upper(s)), SENTENCES)
text("string_lower of words", _lengths(lambda tf, s: tf.strings.lower(s)), WORDS)
text("string_lower of UTF-8", _lengths(lambda tf, s: tf.strings.lower(s, "utf-8")), ACCENTS)
text("string_strip", _lengths(lambda tf, s: tf.string_strip(s)), SPACED)
text("substr of words", _lengths(lambda tf, s: tf.substr(s, 1, 3)), WORDS)
text("substr of characters", _lengths(lambda tf, s: tf.substr(s, 2, 10, unit="UTF8_CHAR")), ACCENTS)
text("encode_base64", _lengths(lambda tf, s: tf.encode_base64(s)), SENTENCES)
text("decode_base64", _lengths(lambda tf, s: tf.decode_base64(s)), CODED)
text("regex_full_match", lambda tf, s: tf.strings.regex_full_match(s, "word[0-9]*7"), WORDS)
text("regex_replace of words", _lengths(lambda tf, s: tf.regex_replace(s, "[aeiou]", "")), WORDS)
text("regex_replace of groups", _lengths(lambda tf, s: tf.regex_replace(s, "([a-z]+)([0-9]+)", r"\2\1")), SENTENCES)
text("regex_replace of UTF-8", _lengths(lambda tf, s: tf.regex_replace(s, "[0-9]+", "#")), ACCENTS)
text("unicode_transcode", _lengths(lambda tf, s: tf.strings.unicode_transcode(s, "UTF-8", "UTF-16-BE")), ACCENTS)
text("unicode_transcode to UTF-8", _lengths(lambda tf, s: tf.strings.unicode_transcode(s, "UTF-8", "UTF-8")), ACCENTS)
text("unicode_decode", lambda tf, s: tf.strings.unicode_decode(s, "UTF-8").flat_values, ACCENTS)
text("unicode_decode with offsets", lambda tf, s: tf.strings.unicode_decode_with_offsets(s, "UTF-8")[1].flat_values,
     ACCENTS)
text("unicode_split", lambda tf, s: tf.strings.length(tf.strings.unicode_split(s, "UTF-8").flat_values), ACCENTS)
add("unicode_encode", lambda tf, x: as_number(tf, tf.strings.length(tf.strings.unicode_encode(
    numbers(tf, x, ids(900, 256, 60).astype(np.int32) + 64), "UTF-8")), x), (4,), gradient=False)
add("unicode_script", lambda tf, x: as_number(tf, tf.strings.unicode_script(
    numbers(tf, x, ids(900, 16000).astype(np.int32) + 64)), x), (4,), gradient=False)

# ---- numbers

text("string_to_number of integers", lambda tf, s: tf.string_to_number(s, tf.int64), INTEGERS)
text("string_to_number of float64", lambda tf, s: tf.cast(tf.string_to_number(s, tf.float64), tf.float32), NUMBERS)
add("as_string of integers", lambda tf, x: as_number(tf, tf.strings.length(tf.as_string(
    numbers(tf, x, ids(100000, 4096)))), x), (4,), gradient=False)
add("as_string with two digits", lambda tf, x: as_number(tf, tf.strings.length(tf.as_string(x, precision=2)), x),
    (4096,), gradient=False)
add("as_string of booleans", lambda tf, x: as_number(tf, tf.strings.length(tf.as_string(x > 0.5)), x), (4096,),
    gradient=False)
add("strings.format", lambda tf, x: as_number(tf, tf.strings.length(tf.strings.format("{} and {}", [x, x[:2]])), x),
    (20, 20), gradient=False)
text("decode_raw of floats", lambda tf, s: tf.decode_raw(s, tf.float32), [
    row.astype(np.float32).tobytes() for row in ids(256, 64, 784)])
text("decode_raw of short strings", lambda tf, s: tf.decode_raw(s, tf.uint8), [
    bytes(row.astype(np.uint8)) for row in ids(256, 4096, 8)])

# ---- many strings together

text("string_split of words", lambda tf, s: tf.strings.length(tf.string_split(s).values), SENTENCES)
text("string_split at commas", lambda tf, s: tf.strings.length(tf.string_split(s, ", ").values), SENTENCES)
text("string_split into bytes", lambda tf, s: tf.string_split(s, "").indices, SENTENCES)
text("strings.split", lambda tf, s: tf.strings.length(tf.strings.split(s).values), SENTENCES)
text("strings.split at a separator", lambda tf, s: tf.strings.length(tf.strings.split(s, " word").values), SENTENCES)
text("string_split to a dense matrix", lambda tf, s: tf.strings.length(tf.sparse_tensor_to_dense(
    tf.string_split(s), "")), SENTENCES)
text("string_join of three", _lengths(lambda tf, s: tf.string_join([s, "x", s], "_")), WORDS)
text("reduce_join of rows", _lengths(lambda tf, s: tf.reduce_join(tf.reshape(s, [256, 16]), 1, separator=" ")), WORDS)
text("unsorted_segment_join", _lengths(lambda tf, s: tf.strings.unsorted_segment_join(
    s, tf.constant(ids(64, 4096)), 64, separator=" ")), WORDS)
text("string_ngrams", lambda tf, s: tf.strings.length(tf.raw_ops.StringNGrams(
    data=s, data_splits=np.arange(0, 4097, 16), separator=" ", ngram_widths=[2], left_pad="", right_pad="", pad_width=0,
    preserve_short_sequences=False)[0]), WORDS)
for operation in ("equal", "not_equal"):
    text(f"{operation} of strings", lambda tf, s, name=operation: getattr(tf, name)(s, tf.constant(WORDS[::-1])), WORDS)
text("equal to one string", lambda tf, s: tf.equal(s, "word7"), WORDS)
text("where of strings", _lengths(lambda tf, s: tf.where(tf.equal(s, "word7"), s, tf.constant(WORDS[::-1]))), WORDS)
text("boolean_mask of strings", _lengths(lambda tf, s: tf.boolean_mask(s, ids(2, 4096) > 0)), WORDS)
text("unique of strings", lambda tf, s: tf.unique(s)[1], WORDS)
text("unique_with_counts of strings", lambda tf, s: tf.unique_with_counts(s)[2], WORDS)
text("setdiff1d of strings", lambda tf, s: tf.setdiff1d(s, tf.constant(VOCABULARY[::2]))[1], WORDS)
text("concat of strings", _lengths(lambda tf, s: tf.concat([s, s], 0)), WORDS)
text("stack of strings", _lengths(lambda tf, s: tf.stack([s, s], 1)), WORDS)
text("transpose of strings", _lengths(lambda tf, s: tf.transpose(tf.reshape(s, [64, 64]))), WORDS)
text("tile of strings", _lengths(lambda tf, s: tf.tile(s, [2])), WORDS)
text("slice of strings", _lengths(lambda tf, s: s[1:4000:2]), WORDS)
text("gather of strings", _lengths(lambda tf, s: tf.gather(s, ids(4096, 4096))), WORDS)
text("pad of strings", _lengths(lambda tf, s: tf.pad(tf.reshape(s, [64, 64]), [[0, 0], [0, 3]], constant_values="")),
     WORDS)
text("reverse of strings", _lengths(lambda tf, s: tf.reverse(s, [0])), WORDS)
text("one word", lambda tf, s: tf.strings.length(tf.string_join([s[0], "x"])), WORDS[:4])

# ---- hashes and tables

text("string_to_hash_bucket", lambda tf, s: tf.string_to_hash_bucket(s, 1000), WORDS)
text("string_to_hash_bucket_fast of words", lambda tf, s: tf.string_to_hash_bucket_fast(s, 1000), WORDS)
text("string_to_hash_bucket_strong", lambda tf, s: tf.string_to_hash_bucket_strong(s, 1000, [1, 2]), WORDS)
text("fingerprint of strings", lambda tf, s: tf.fingerprint(s), WORDS)


def _table(tf, keys, values, missing, key_type=None):
    return tf.lookup.StaticHashTable(tf.lookup.KeyValueTensorInitializer(tf.constant(keys, key_type), values), missing)


def _vocabulary(tf):
    """A table from words to numbers, with 10 buckets for other words."""
    return tf.lookup.StaticVocabularyTable(tf.lookup.KeyValueTensorInitializer(
        VOCABULARY[::2], np.arange(250, dtype=np.int64)), 10)


text("table from strings", lambda tf, s: _table(tf, VOCABULARY, np.arange(500), -1).lookup(s), WORDS)
text("table from strings with buckets", lambda tf, s: _vocabulary(tf).lookup(s), WORDS)
add("table to strings", lambda tf, x: as_number(tf, tf.strings.length(_table(
    tf, np.arange(500), VOCABULARY, "?", tf.int64).lookup(numbers(tf, x, ids(500, 4096)))), x), (4,), gradient=False)


# ---- features

def _dense(tf, columns, features):
    return tf.feature_column.input_layer(features, columns)


column = lambda tf: tf.feature_column
text("column with a vocabulary", lambda tf, s: _dense(tf, column(tf).indicator_column(
    column(tf).categorical_column_with_vocabulary_list("w", VOCABULARY[:50])), {"w": tf.reshape(s, [-1, 1])}), WORDS)
text("column with hash buckets", lambda tf, s: _dense(tf, column(tf).embedding_column(
    column(tf).categorical_column_with_hash_bucket("w", 1000), 16), {"w": tf.reshape(s, [-1, 1])}), WORDS)
text("column of crossed strings", lambda tf, s: _dense(tf, column(tf).embedding_column(column(tf).crossed_column(
    ["w", "v"], 1000), 16), {"w": tf.reshape(s, [-1, 1]), "v": tf.reshape(tf.reverse(s, [0]), [-1, 1])}), WORDS)


# ---- lines and records

text("decode_csv of strings", lambda tf, s: tf.strings.length(tf.decode_csv(s, [[""], [0], [0.0]])[0]), [
    f"{word},{place},{place / 3:.3f}" for place, word in enumerate(WORDS)])
text("decode_csv with quotes", lambda tf, s: tf.strings.length(tf.decode_csv(s, [[""], [0], [0.0]])[0]), [
    f'"{word}, and",{place},{place / 3:.3f}' for place, word in enumerate(WORDS)])
text("decode_csv with selected columns", lambda tf, s: tf.decode_csv(s, [[0], [0.0]], select_cols=[1, 3])[1], [
    f"{word},{place},x,{place / 3:.3f}" for place, word in enumerate(WORDS)])


def _message(field, payload):
    """A field of a protocol message that holds bytes."""
    sizes, left = b"", len(payload)
    while left >= 128:
        sizes, left = sizes + bytes([left & 127 | 128]), left >> 7
    return bytes([field << 3 | 2]) + sizes + bytes([left]) + payload


def _example(features):
    """A serialized Example of lists of bytes, of float32 or of integers below 128."""
    entries = b""
    for name, values in features.items():
        if values.dtype == object:
            feature = _message(1, b"".join(_message(1, value) for value in values))
        elif values.dtype == np.float32:
            feature = _message(2, _message(1, values.tobytes()))
        else:
            feature = _message(3, _message(1, bytes(values.tolist())))
        entries += _message(1, _message(1, name.encode()) + _message(2, feature))
    return _message(1, entries)


def _record(place):
    row = {f"number{at}": np.float32([place + at]) for at in range(10)}
    row |= {f"word{at}": np.array([WORDS[place + at].encode()], object) for at in range(10)}
    row |= {f"ids{at}": np.arange((place + at) % 5) for at in range(10)}
    return _example(row)


RECORDS = [_record(place) for place in range(256)]


def _features(tf):
    fixed = {f"number{at}": tf.FixedLenFeature([1], tf.float32) for at in range(10)}
    fixed |= {f"word{at}": tf.FixedLenFeature([], tf.string) for at in range(10)}
    return fixed | {f"ids{at}": tf.VarLenFeature(tf.int64) for at in range(10)}


def _parsed(tf, parsed):
    """One number that needs all of the features."""
    return (tf.add_n([tf.reduce_sum(parsed[f"number{at}"]) for at in range(10)])
            + tf.cast(tf.add_n([tf.reduce_sum(tf.strings.length(parsed[f"word{at}"])) for at in range(10)]), tf.float32)
            + tf.cast(tf.add_n([tf.reduce_sum(parsed[f"ids{at}"].values) for at in range(10)]), tf.float32))


text("parse_example of 30 features", lambda tf, s: _parsed(tf, tf.parse_example(s, _features(tf))), RECORDS)
text("parse_single_example of 30 features", lambda tf, s: _parsed(tf, tf.parse_single_example(
    s[3], _features(tf))), RECORDS)
text("decode_compressed", _lengths(lambda tf, s: tf.io.decode_compressed(s, "ZLIB")), [
    zlib.compress(sentence.encode() * 20) for sentence in SENTENCES])


# ---- pipelines

def _drawn(tf, dataset, number):
    """A number made of the next element."""
    return number(tf.data.make_one_shot_iterator(dataset.repeat()).get_next())


def pipeline(name, make, number):
    """`make` takes the path of a file of lines."""
    add(name, lambda tf, x: as_number(tf, _drawn(tf, make(tf, _lines()), lambda each: number(tf, each)), x), (4,),
        gradient=False)


def _lines():
    path = scratch("lines")
    with open(path, "w") as file:
        file.writelines(f"{sentence}\n" for sentence in SENTENCES)
    return path


_count = lambda tf, each: tf.reduce_sum(tf.strings.length(each))
pipeline("lines in batches", lambda tf, path: tf.data.TextLineDataset(path).batch(256), _count)
pipeline("lines to words, padded", lambda tf, path: tf.data.TextLineDataset(path).map(
    lambda line: tf.string_split([line]).values).padded_batch(64, [None]), _count)
pipeline("lines to ids, padded", lambda tf, path: tf.data.TextLineDataset(path).map(
    lambda line: tf.string_to_hash_bucket_fast(tf.string_split([line]).values, 1000)).padded_batch(64, [None]),
    lambda tf, each: tf.reduce_sum(each))
pipeline("lines cleaned", lambda tf, path: tf.data.TextLineDataset(path).map(
    lambda line: tf.regex_replace(tf.string_strip(line), "[0-9]+", "#")).batch(64), _count)
pipeline("lines to characters, padded", lambda tf, path: tf.data.TextLineDataset(path).map(
    lambda line: tf.decode_raw(line, tf.uint8)).padded_batch(64, [None]),
    lambda tf, each: tf.reduce_sum(tf.cast(each, tf.int32)))
pipeline("lines filtered", lambda tf, path: tf.data.TextLineDataset(path).filter(
    lambda line: tf.strings.regex_full_match(line, ".*7.*")).batch(64), _count)
pipeline("lines, one by one", lambda tf, path: tf.data.TextLineDataset(path), _count)
