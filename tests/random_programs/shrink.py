"""Takes statements out of a program that shows a difference, as long as the difference stays."""


def shrink(statements, shows):
    """The fewest statements found.

    Args:
        statements: show the difference.
        shows: whether statements still show it; called dozens of times.
    """
    size = max(len(statements) // 2, 1)
    while True:
        at, before = len(statements), len(statements)
        while at > 0:
            at -= size
            less = [*statements[:max(at, 0)], *statements[max(at, 0) + size:]]
            if shows(less):
                statements = less
        if size == 1 and len(statements) == before:
            return statements
        size = max(size // 2, 1)
