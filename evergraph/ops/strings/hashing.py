"""Hashes of strings, bit for bit TensorFlow's, and the ops that assign strings to hash buckets.

| op                        | hash                                                                  |
|---------------------------|-----------------------------------------------------------------------|
| StringToHashBucket        | MurmurHash64A with a fixed seed                                       |
| StringToHashBucketFast    | FarmHash's Fingerprint64: in C, or `farmhash` where installed         |
| StringToHashBucketStrong  | SipHash-2-4 with a key, resistant to collision attacks                |
| Fingerprint               | Fingerprint64                                                         |
| SdcaFprint                | FarmHash's Fingerprint128                                             |
"""
import functools

import numpy as np

from evergraph import native
from evergraph.base.errors import invalid
from evergraph.graph.opdef import STOP, op
from evergraph.graph.shaping import at_least_rank, same_as, with_rank
from evergraph.kernel.rows import along_first
from evergraph.ops.strings.strings import shown
from evergraph.ops.strings.walking import each, objects

_ALL = (1 << 64) - 1


def _word(data, start, size=8):
    return int.from_bytes(data[start:start + size], "little")


def _rotated(value, bits):
    """Rotates 64 bits to the right."""
    return (value >> bits | value << 64 - bits) & _ALL


# ---- MurmurHash64A

_MURMUR, _SEED = 0xC6A4A7935BD1E995, 0xDECAFCAFFE


def murmur64(data):
    """MurmurHash64A of a string with TensorFlow's seed."""
    state = _SEED ^ len(data) * _MURMUR & _ALL
    whole = len(data) & ~7
    for start in range(0, whole, 8):
        word = _word(data, start) * _MURMUR & _ALL
        word = (word ^ word >> 47) * _MURMUR & _ALL
        state = (state ^ word) * _MURMUR & _ALL
    if whole < len(data):
        state = (state ^ _word(data, whole)) * _MURMUR & _ALL
    state = (state ^ state >> 47) * _MURMUR & _ALL
    return state ^ state >> 47


# ---- FarmHash

_K0, _K1, _K2 = 0xC3A5C85C97CB3127, 0xB492B66FBE98F273, 0x9AE16A3B2F90404F


def farm64(data):
    """FarmHash's Fingerprint64 of a string in pure Python; the `farmhash` package is faster."""
    size = len(data)
    if size <= 16:
        return _farm_short(data, size)
    if size <= 32:
        return _farm_to_32(data, size)
    return _farm_to_64(data, size) if size <= 64 else _farm_long(data, size)


def _mixed(value):
    return value ^ value >> 47


def _mixed_pair(u, v, factor):
    a = _mixed((u ^ v) * factor & _ALL)
    return _mixed((v ^ a) * factor & _ALL) * factor & _ALL


def _farm_short(data, size):
    factor = _K2 + size * 2 & _ALL
    if size >= 8:
        a, b = _word(data, 0) + _K2 & _ALL, _word(data, size - 8)
        c = _rotated(b, 37) * factor + a & _ALL
        d = (_rotated(a, 25) + b) * factor & _ALL
        return _mixed_pair(c, d, factor)
    if size >= 4:
        return _mixed_pair(size + (_word(data, 0, 4) << 3) & _ALL, _word(data, size - 4, 4), factor)
    if size:
        first, middle, last = data[0], data[size >> 1], data[size - 1]
        y, z = first + (middle << 8), size + (last << 2)
        return _mixed(y * _K2 & _ALL ^ z * _K0 & _ALL) * _K2 & _ALL
    return _K2


def _farm_to_32(data, size):
    factor = _K2 + size * 2 & _ALL
    a, b = _word(data, 0) * _K1 & _ALL, _word(data, 8)
    c, d = _word(data, size - 8) * factor & _ALL, _word(data, size - 16) * _K2 & _ALL
    return _mixed_pair(_rotated(a + b & _ALL, 43) + _rotated(c, 30) + d & _ALL,
                       a + _rotated(b + _K2 & _ALL, 18) + c & _ALL, factor)


def _farm_to_64(data, size):
    factor = _K2 + size * 2 & _ALL
    a, b = _word(data, 0) * _K2 & _ALL, _word(data, 8)
    c, d = _word(data, size - 8) * factor & _ALL, _word(data, size - 16) * _K2 & _ALL
    y = _rotated(a + b & _ALL, 43) + _rotated(c, 30) + d & _ALL
    z = _mixed_pair(y, a + _rotated(b + _K2 & _ALL, 18) + c & _ALL, factor)
    e, f = _word(data, 16) * factor & _ALL, _word(data, 24)
    g, h = (y + _word(data, size - 32)) * factor & _ALL, (z + _word(data, size - 24)) * factor & _ALL
    return _mixed_pair(_rotated(e + f & _ALL, 43) + _rotated(g, 30) + h & _ALL,
                       e + _rotated(f + a & _ALL, 18) + g & _ALL, factor)


def _weak(data, start, a, b):
    """Mixes 32 bytes into two words of state."""
    w, x, y, z = (_word(data, start + offset) for offset in (0, 8, 16, 24))
    a = a + w & _ALL
    b = _rotated(b + a + z & _ALL, 21)
    c = a
    a = a + x + y & _ALL
    return a + z & _ALL, b + _rotated(a, 44) + c & _ALL


def _farm_long(data, size):
    x, y = 81, 81 * _K1 + 113 & _ALL
    z = _mixed(y * _K2 + 113 & _ALL) * _K2 & _ALL
    v, w = (0, 0), (0, 0)
    x = x * _K2 + _word(data, 0) & _ALL
    end = (size - 1) // 64 * 64
    for start in range(0, end, 64):
        x, y, z, v, w = _farm_round(data, start, x, y, z, v, w, _K1, 1)
    factor = _K1 + ((z & 0xFF) << 1) & _ALL
    start = size - 64
    w = (w[0] + ((size - 1) & 63) & _ALL, w[1])
    v = (v[0] + w[0] & _ALL, v[1])
    w = (w[0] + v[0] & _ALL, w[1])
    x, y, z, v, w = _farm_round(data, start, x, y, z, v, w, factor, 9)
    return _mixed_pair(_mixed_pair(v[0], w[0], factor) + _mixed(y) * _K0 + z & _ALL,
                       _mixed_pair(v[1], w[1], factor) + x & _ALL, factor)


def _farm_round(data, start, x, y, z, v, w, factor, weight):
    """Mixes 64 bytes into the state. The last block uses another factor and weight."""
    x = _rotated(x + y + v[0] + _word(data, start + 8) & _ALL, 37) * factor & _ALL
    y = _rotated(y + v[1] + _word(data, start + 48) & _ALL, 42) * factor & _ALL
    x ^= w[1] * weight & _ALL
    y = y + v[0] * weight + _word(data, start + 40) & _ALL
    z = _rotated(z + w[0] & _ALL, 33) * factor & _ALL
    v = _weak(data, start, v[1] * factor & _ALL, x + w[0] & _ALL)
    w = _weak(data, start + 32, z + w[1] & _ALL, y + _word(data, start + 16) & _ALL)
    return z, y, x, v, w


@functools.cache
def _farmhash():
    """The fastest available Fingerprint64."""
    try:
        from farmhash import fingerprint64
    except ImportError:
        return farm64
    return fingerprint64


def fingerprint64(data):
    """FarmHash's Fingerprint64 of a string."""
    return _farmhash()(data)


# ---- FarmHash's Fingerprint128, which is CityHash128

_PAIR = 0x9DDFEA08EB382D69


def _joined(u, v):
    return _mixed_pair(u, v, _PAIR)


def fingerprint128(data):
    """FarmHash's Fingerprint128 of a string: its low and its high 64 bits."""
    if len(data) < 16:
        return _city_short(data, _K0, _K1)
    low, high = _word(data, 0), _word(data, 8) + _K0 & _ALL
    data = data[16:]
    return (_city_short if len(data) < 128 else _city_long)(data, low, high)


def _city_short(data, a, b):
    size = len(data)
    if size <= 16:
        a = _mixed(a * _K1 & _ALL) * _K1 & _ALL
        c = b * _K1 + _farm_short(data, size) & _ALL
        d = _mixed(a + (_word(data, 0) if size >= 8 else c) & _ALL)
    else:
        c = _joined(_word(data, size - 8) + _K1 & _ALL, a)
        d = _joined(b + size & _ALL, c + _word(data, size - 16) & _ALL)
        a = a + d & _ALL
        for start in range(0, size - 16, 16):
            a = (a ^ _mixed(_word(data, start) * _K1 & _ALL) * _K1 & _ALL) * _K1 & _ALL
            b ^= a
            c = (c ^ _mixed(_word(data, start + 8) * _K1 & _ALL) * _K1 & _ALL) * _K1 & _ALL
            d ^= c
    a, b = _joined(a, c), _joined(d, b)
    return a ^ b, _joined(b, a)


def _city_long(data, x, y):
    size = len(data)
    z = size * _K1 & _ALL
    first = _rotated(y ^ _K1, 49) * _K1 + _word(data, 0) & _ALL
    v = (first, _rotated(first, 42) * _K1 + _word(data, 8) & _ALL)
    w = (_rotated(y + z & _ALL, 35) * _K1 + x & _ALL, _rotated(x + _word(data, 88) & _ALL, 53) * _K1 & _ALL)
    whole = size // 128 * 128
    for start in range(0, whole, 64):
        x, y, z, v, w = _farm_round(data, start, x, y, z, v, w, _K1, 1)
    x = x + _rotated(v[0] + z & _ALL, 49) * _K0 & _ALL
    y = y * _K0 + _rotated(w[1], 37) & _ALL
    z = z * _K0 + _rotated(w[0], 27) & _ALL
    v, w = (v[0] * _K0 & _ALL, v[1]), (w[0] * 9 & _ALL, w[1])
    for start in range(size - 32, whole - 32, -32):  # the rest from its end; the last part may reach back
        y = _rotated(x + y & _ALL, 42) * _K0 + v[1] & _ALL
        w = (w[0] + _word(data, start + 16) & _ALL, w[1])
        x = x * _K0 + w[0] & _ALL
        z = z + w[1] + _word(data, start) & _ALL
        w = (w[0], w[1] + v[0] & _ALL)
        v = _weak(data, start, v[0] + z & _ALL, v[1])
        v = (v[0] * _K0 & _ALL, v[1])
    x, y = _joined(x, v[0]), _joined(y + z & _ALL, w[0])
    return _joined(x + v[1] & _ALL, w[1]) + y & _ALL, _joined(x + w[1] & _ALL, y + v[1] & _ALL)


# ---- SipHash

def siphash(key, data):
    """SipHash-2-4 of a string with a key of two 64-bit words."""
    k0, k1 = (word & _ALL for word in key)
    state = [k0 ^ 0x736F6D6570736575, k1 ^ 0x646F72616E646F6D, k0 ^ 0x6C7967656E657261, k1 ^ 0x7465646279746573]
    whole = len(data) & ~7
    words = [_word(data, start) for start in range(0, whole, 8)]
    words.append(_word(data, whole) | (len(data) & 0xFF) << 56)
    for word in words:
        state[3] ^= word
        _sip_rounds(state, 2)
        state[0] ^= word
    state[2] ^= 0xFF
    _sip_rounds(state, 4)
    return state[0] ^ state[1] ^ state[2] ^ state[3]


def _sip_rounds(state, count):
    a, b, c, d = state
    for _ in range(count):
        a, c = a + b & _ALL, c + d & _ALL
        b, d = _rotated(b, 51) ^ a, _rotated(d, 48) ^ c
        a = _rotated(a, 32)
        c, a = c + b & _ALL, a + d & _ALL
        b, d = _rotated(b, 47) ^ c, _rotated(d, 43) ^ a
        c = _rotated(c, 32)
    state[:] = a, b, c, d


# ---- buckets

_FARM, _MURMUR_64A, _SIP = range(3)  # kinds of hashes, as the C code numbers them


def _hashes(hash_of, kind, strings, buckets, key=(0, 0)):
    """A hash of each string, modulo `buckets` unless that is 0: uint64 numbers in the same shape."""
    return each(lambda s: hash_of(s) % buckets if buckets else hash_of(s), strings, native.strings, "hashes", kind,
                *(word & _ALL for word in key), buckets, dtype=np.uint64)


def fingerprints(strings, buckets=0):
    """FarmHash's Fingerprint64 of each string, modulo `buckets` unless that is 0: uint64 numbers in the same shape."""
    return _hashes(fingerprint64, _FARM, strings, buckets)


@op("StringToHashBucket(string_tensor: string, *, num_buckets: int >= 1) -> output: int64",
    shape=same_as("string_tensor"), grad=STOP, in_batches=along_first)
def string_to_hash_bucket(string_tensor, num_buckets):
    """The hash bucket of each string, by MurmurHash64A. Kept for models that were trained with it."""
    return _hashes(murmur64, _MURMUR_64A, string_tensor, num_buckets).view(np.int64)


@op("StringToHashBucketFast(input: string, *, num_buckets: int >= 1) -> output: int64", shape=same_as("input"),
    grad=STOP, in_batches=along_first)
def string_to_hash_bucket_fast(input, num_buckets):
    """The hash bucket of each string, by FarmHash; not resistant to deliberate collisions."""
    return fingerprints(input, num_buckets).view(np.int64)


@op("StringToHashBucketStrong(input: string, *, num_buckets: int >= 1, key: list(int)) -> output: int64",
    shape=same_as("input"), grad=STOP, in_batches=along_first)
def string_to_hash_bucket_strong(input, num_buckets, key):
    """The hash bucket of each string, by SipHash with a secret key of two integers; resists deliberate collisions."""
    if len(key) != 2:
        raise invalid("Key must have 2 elements")
    return _hashes(lambda s: siphash(key, s), _SIP, input, num_buckets, key).view(np.int64)


# ---- fingerprints

@op("Fingerprint(data: T, method: string, *, T: type) -> fingerprint: uint8", on="host", grad=STOP)
def fingerprint(data, method):
    """An 8-byte FarmHash fingerprint of each row of `data`."""
    if np.ndim(method):
        raise invalid(f"`method` should be a scalar string: {shown(np.shape(method))}")
    name = np.asarray(method, object).item()
    if name != b"farmhash64":
        raise invalid(f"Unsupported fingerprint method: {name.decode('utf-8', 'replace')}")
    if not np.ndim(data):
        raise invalid("`data` should have at least one dimension: []")
    return _as_bytes(fingerprints(_row_bytes(np.asarray(data))))


def _row_bytes(data):
    """The bytes to hash of each row: its memory; of one string the string itself, of several the hash of each."""
    if data.dtype == object and data.ndim == 1:
        return data
    rows = _as_bytes(fingerprints(data)) if data.dtype == object else np.ascontiguousarray(data)
    return objects([row.tobytes() for row in rows], len(rows))


def _as_bytes(hashes):
    """The bytes of hashes along a new last axis, the lowest first."""
    return hashes.astype("<u8")[..., np.newaxis].view(np.uint8)


@fingerprint.shape
def _(data, method, value_of):
    with_rank(method, 0)
    at_least_rank(data, 1)
    known = value_of("method")
    if known is not None and known.item() != b"farmhash64":
        raise ValueError(f"Unsupported method: {known.item().decode('utf-8', 'replace')}")
    return (None if data is None else data[0], None if known is None else 8)
