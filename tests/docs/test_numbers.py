"""The numbers that the pages give are those of the code."""

import re
from pathlib import Path

import pytest

from evergraph.compile import backend, cache
from evergraph.kernel import native_products
from evergraph.run import executor

COMPILATION = " ".join((Path(__file__).parents[2] / "docs" / "compilation.md").read_text().split())


def numbers(pattern):
    found = re.search(pattern, COMPILATION)
    assert found, f"no {pattern!r} in docs/compilation.md"
    return [float(number.replace(",", "")) for number in found.groups()]


def test_policy():
    assert numbers(r"at most ([\d,]+) nodes, on at most ([\d,]+) elements") == [cache.SMALL_NODES, cache.SMALL_ELEMENTS]
    assert numbers(r"quick: at most (\d+) nodes, or (\d+) with updates of an optimizer, none of them a loop, which "
                   r"make at most ([\d,]+) numbers of at most ([\d,]+)") == [
        cache.QUICK_NODES, cache.QUICK_TRAINING_NODES, cache.QUICK_VOLUME, cache.QUICK_ELEMENTS]  # fmt: skip
    assert numbers(r"light: at most (\d+) nodes, none of them a loop") == [cache.LIGHT_NODES]
    assert numbers(r"which make at most ([\d,]+) numbers from fewer than ([\d,]+)") == [
        cache.LIGHT_VOLUME, cache.HEAVY_ELEMENTS]  # fmt: skip
    assert numbers(r"XLA after ([\d,]+) runs with") == [cache.LIGHT_RUNS]
    assert numbers(r"more than (\d+) nodes, or at least (\d+) on ([\d,]+) elements of feeds and variables or "
                   r"more, or that make more numbers than those of a light stage, none of them a loop, and all make at "
                   r"most ([\d,]+) numbers") == [
        cache.LIGHT_NODES, cache.LONG_NODES, cache.HEAVY_ELEMENTS, cache.LONG_VOLUME]  # fmt: skip
    assert numbers(r"XLA after (\d+) runs with inputs of these shapes, or fewer, compiling beginning after (\d+)") == [
        cache.MEANWHILE_RUNS, cache.SETTLING_RUNS]  # fmt: skip
    assert numbers(r"for all where (\d+) or more have come") == [cache.VARYING]
    assert numbers(r"; (\d+) multiplications, in products") == [cache.A_NUMBER]
    assert numbers(r"a product of ([\d,]+) multiplications or more") == [native_products.WORTH_THREADS]
    assert numbers(r"makes ([\d,]+) numbers, the switch comes after half as many runs") == [cache.NUMBERS_A_NODE]
    assert numbers(r"counts for one in (\d+) of its elements") == [cache.TABLE_ELEMENTS]
    assert numbers(r"fewer than ([\d,]+) elements of feeds and variables, at most ([\d,]+) numbers made in all, and at "
                   r"most ([\d,]+) in one iteration") == [
        cache.LIGHT_LOOP_ELEMENTS, cache.LONG_VOLUME, cache.LIGHT_ITERATION]  # fmt: skip
    assert numbers(r"when they have made ([\d,]+) numbers") == [cache.LOADING_NUMBERS]
    assert numbers(r"an iteration makes fewer than ([\d,]+) numbers") == [cache.SMALL_ITERATION]
    assert numbers(r"nodes have run ([\d,]+) times on average and called at least ([\d,]+) kernels, or sooner: see "
                   r"below; and XLA takes over when they have run ([\d,]+) times more") == [
        cache.PASSES_BEFORE, cache.LOADING_CALLS, cache.PASSES_MEANWHILE]  # fmt: skip
    assert numbers(r"calls more than ([\d,]+) kernels in loops") == [cache.LONG_RUN]
    assert numbers(r"has run (\d+) times") == [cache.HOT_RUNS]
    assert numbers(r"times that, but at most (\d+) times") == [cache.MOST_HOT_RUNS]
    assert numbers(r"compiled for (\d+) different sets of shapes") == [cache.FORMS_AT_ONCE]
    assert numbers(r"has ([\d,]+) elements or more") == [cache.HEAVY_ELEMENTS]


def test_policy_beside_an_accelerator():
    assert numbers(r"a step of a program \| (\d+), and ([\d.]+) for each node, or ([\d.]+) for each kernel") == [
        cache.STARTING, cache.STARTING_NODE, cache.LAUNCH_IN_LOOP]  # fmt: skip
    assert numbers(r"a step on NumPy \| (\d+) for each node, or ([\d.]+) for each kernel that its loops call; ([\d.]+) "
                   r"for a thousand numbers that it makes; (\d+) for a thousand elements of feeds and variables; (\d+) "
                   r"for each variable") == pytest.approx([
        cache.KERNEL, cache.KERNEL_IN_LOOP, 1000 * cache.NUMBER, 1000 * cache.ELEMENT, cache.MOVING])  # fmt: skip
    assert numbers(r"to compile \| ([\d,]+), and ([\d,]+) for each node") == [cache.COMPILING, cache.COMPILING_NODE]
    assert numbers(r"less than (\d+) times as long there as by a program") == [cache.WORTH_A_PROGRAM]
    assert numbers(r"is compiled at once for its first (\d+) sets of shapes. So is every further one, up to (\d+), "
                   r"that NumPy could run no more than (\d+) times") == [
        cache.FORMS_AT_ONCE, cache.MOST_EXECUTABLES, cache.FEW_RUNS]  # fmt: skip
    assert numbers(r"Loops that make more than ([\d,]+) numbers in an iteration, or have ([\d,]+) elements") == [
        cache.ITERATION_BESIDE, cache.LOOP_ELEMENTS_BESIDE]  # fmt: skip
    assert numbers(r"the first (\d+) sets are compiled at once, or (\d+) if there are ([\d,]+) elements") == [
        cache.MOST_AT_ONCE, cache.MOST_EXECUTABLES, cache.HEAVY_ELEMENTS]  # fmt: skip


def test_limits():
    assert numbers(r"they have room for (\d+) steps") == [executor.LEAST_ROOM]
    assert numbers(r"has been compiled (\d+) times, a line in the log") == [cache.MANY_FORMS]
    assert numbers(r"at most (\d+) programs for each stage") == [cache.MOST_EXECUTABLES]
    assert numbers(r"A stage of more than ([\d,]+) nodes is cut") == [cache.MOST_NODES]
    assert numbers(r"takes more than (\d+) seconds") == [backend.LONG_COMPILE]
    assert numbers(r"more than (\d+) GiB") == [backend.CACHE_LIMIT >> 30]
    assert numbers(r"up to (\d+) MiB") == [backend.KEPT_MEMORY >> 20]
