"""Hashes of strings and of rows: evergraph/ops/strings/hashing.py."""

import numpy as np

from tests.harness import bools, case, floats, i32, strings

text = strings([["", "a", "abc"], [b"\xff\x00\x80", "e" * 16, "0123456789" * 30]])
lengths = strings(["xyz" * n for n in (1, 2, 3, 5, 6, 10, 11, 21, 22, 43, 44)])

CASES = [
    *[case(op, x, num_buckets=n) for op in ("StringToHashBucket", "StringToHashBucketFast")
      for x, n in ((text, 10), (lengths, 2**63 - 1))],
    case("StringToHashBucketStrong", text, num_buckets=1000, key=[1, 2]),
    case("StringToHashBucketStrong", lengths, num_buckets=2**63 - 1, key=[-1, 98765]),
    case("StringToHashBucketStrong", text, num_buckets=10, key=[1]).fails("InvalidArgumentError"),
    case("StringToHashBucket", text, num_buckets=0).fails("ValueError"),
    case("Fingerprint", floats(3, 4), "farmhash64"),
    case("Fingerprint", strings(["a", "b"]), "farmhash64"),
    case("Fingerprint", strings([[["a"], ["b"]], [["c"], ["d"]]]), "farmhash64"),
    case("Fingerprint", bools(4), "farmhash64"),
    case("Fingerprint", np.zeros((2, 0), "float32"), "farmhash64"),
    case("Fingerprint", i32(3), "farmhash64").fails("ValueError"),
    case("Fingerprint", i32([3]), strings("md5")).fails("InvalidArgumentError"),
]
