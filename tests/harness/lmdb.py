"""Writes LMDB files."""

import struct


def lmdb_file(pairs, big):
    """An LMDB file with two leaves below a root, whose last value has pages of its own."""
    size, none = 4096, (1 << 64) - 1

    def page(number, kind, nodes):
        content, end, places = bytearray(size), size, []
        for node in nodes:
            end -= len(node) + len(node) % 2
            content[end:end + len(node)] = node
            places.append(end)
        head = struct.pack(f"<QHHHH{len(places)}H", number, 0, kind, 16 + 2 * len(places), end, *places)
        content[:len(head)] = head
        return bytes(content)

    def meta(number, transaction, root):
        databases = struct.pack("<IHHQQQQQ", size, 8, 0, 0, 0, 0, 0, none) + struct.pack(
            "<IHHQQQQQ", 0, 0, 2, 1, 2, 2, len(pairs) + 1, root)
        content = struct.pack("<IIQQ", 0xBEEFC0DE, 1, 0, 1 << 20) + databases + struct.pack("<QQ", 6, transaction)
        return (struct.pack("<QHHHH", number, 0, 8, 0, 0) + content).ljust(size, b"\0")

    leaves = [struct.pack("<HHHH", len(value), 0, 0, len(key)) + key + value for key, value in pairs]
    leaves.append(struct.pack("<HHHH", len(big[1]), 0, 1, len(big[0])) + big[0] + struct.pack("<Q", 5))
    root = page(4, 1, [struct.pack("<HHHH", number, 0, 0, 0) for number in (2, 3)])
    pages = (struct.pack("<QHHI", 5, 0, 4, 2) + big[1]).ljust(2 * size, b"\0")
    return meta(0, 0, none) + meta(1, 1, 4) + page(2, 2, leaves[:2]) + page(3, 2, leaves[2:]) + root + pages
