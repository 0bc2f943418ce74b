"""Long runs of pipelines: memory stays flat, threads end. `make soak` runs them at full length."""

import gc
import os
import threading
import time

import numpy as np

import evergraph as tf


def memory():
    """The memory of this process in bytes, once unreachable objects are gone.

    Without pages of files: the system drops those of code and reads them again as it likes.
    """
    gc.collect()
    with open("/proc/self/statm") as file:
        resident, of_files = map(int, file.read().split()[1:3])
    return (resident - of_files) * os.sysconf("SC_PAGE_SIZE")


def draw(elements, batch=100):
    """Draws so many elements through shuffle, repeat, map, batch and prefetch; returns how much memory grew meanwhile.

    The first tenth fills buffers and warms up, and does not count.
    """
    rows = np.arange(5000 * 8, dtype=np.float32).reshape(5000, 8)
    dataset = tf.data.Dataset.from_tensor_slices((rows, np.arange(5000)))
    dataset = dataset.shuffle(1000, seed=1).repeat().map(lambda x, y: (x / 2.0, y)).batch(batch).prefetch(4)
    element = tf.data.make_one_shot_iterator(dataset).get_next()
    with tf.Session() as session:
        for _ in range(elements // batch // 10):
            session.run(element)
        before = memory()
        for _ in range(elements // batch * 9 // 10):
            session.run(element)
        return memory() - before


def left_threads(before):
    """The threads that are left of those started since, apart from the shared ones that draw for all iterators."""
    def started():
        return {each for each in threading.enumerate() if each not in before and each.name != "dataset_drawing"}

    end = time.monotonic() + 30
    while started() and time.monotonic() < end:
        gc.collect()  # again, because a thread holds what it is drawing from
        for thread in started():
            thread.join(0.1)
    return started()


def open_and_close(sessions):
    """Draws once from a pipeline in each of so many sessions; returns the threads that are left."""
    before = set(threading.enumerate())
    numbers = tf.data.Dataset.range(100).map(lambda x: x + 1, num_parallel_calls=2).filter(lambda x: x > 3)
    python = tf.data.Dataset.range(100).map(lambda x: tf.py_func(lambda v: v, [x], tf.int64), num_parallel_calls=2)
    dataset = tf.data.Dataset.zip((numbers, python)).shuffle(10).batch(4).prefetch(2)
    element = tf.data.make_one_shot_iterator(dataset).get_next()
    for place in range(sessions):
        session = tf.Session()
        session.run(element)
        if place % 2:
            session.close()
        del session  # what is not closed ends with the session
    return left_threads(before)


if __name__ == "__main__":
    grown, left = draw(10**6), open_and_close(200)
    print(f"1,000,000 elements: memory grew by {grown / 2**20:.1f} MiB; 200 sessions: {len(left)} threads left")
    raise SystemExit(grown > 16 * 2**20 or bool(left))
