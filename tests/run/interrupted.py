"""Programs that real SIGINTs interrupt at random moments: `python -m tests.run.interrupted SCENE SEED MOMENTS FOLDER`.

Each scene runs until it is interrupted, so many times, and asserts after each that the variables are of one step, that
a checkpoint saved by the handler holds them, and that the session goes on.
"""

import operator
import os
import random
import signal
import sys
import threading
import time

import evergraph as tf
from evergraph.eager.graph import EAGER
from tests.harness import remote_store

SIZE = 5000


def interrupted(work, delay):
    """Calls `work` again and again until a SIGINT, which comes after `delay` seconds, ends it.

    Python drops what a signal handler raises inside callbacks of its garbage collector: then there is another signal.
    """
    ended = threading.Event()

    def interrupt():
        time.sleep(delay)
        while not ended.is_set():
            os.kill(os.getpid(), signal.SIGINT)
            ended.wait(1.0)

    thread = threading.Thread(target=interrupt)
    try:
        thread.start()
        while True:
            work()
    except KeyboardInterrupt:
        ended.set()
        thread.join()


class Counters:
    """A step that adds 1 to every element of some variables, and a session for it.

    Args:
        resource: whether the variables are resource variables: of all of them, or of each.
        through_host: runs a Python function after the first half of the updates.
        tier: of the session.
        starts: whether to make the session.
    """

    def __init__(self, resource, through_host=False, tier="xla", starts=True):
        kinds = resource if isinstance(resource, list) else [resource] * 6
        self.variables = [tf.Variable(tf.zeros([SIZE]), use_resource=k, name=f"v{n}") for n, k in enumerate(kinds)]
        self.one = tf.placeholder(tf.float32, [])
        first = [tf.assign_add(v, tf.fill([SIZE], self.one)) for v in self.variables[:3]]
        one = self.one
        if through_host:  # the variables above are updated in an earlier stage than those below
            with tf.control_dependencies(first):
                one = tf.py_func(lambda value: value, [self.one], tf.float32)
                one.set_shape([])
        second = [tf.assign_add(v, tf.fill([SIZE], one)) for v in self.variables[3:]]
        self.step = tf.group(*[u.op for u in first], *[u.op for u in second])
        self.saver = tf.train.Saver(self.variables)
        if starts:
            self.session = tf.Session(tier=tier)
            self.session.run(tf.global_variables_initializer())

    def run(self):
        self.session.run(self.step, {self.one: 1.0})

    def value(self):
        """The one value that all elements of all variables have."""
        (value,) = {value for array in self.session.run(self.variables) for value in array.tolist()}
        return value

    def check(self, folder):
        path = self.saver.save(self.session, os.path.join(folder, "model"), write_meta_graph=False)
        before = self.value()
        reader = tf.train.load_checkpoint(path)
        assert {value for n in range(6) for value in reader.get_tensor(f"v{n}").tolist()} == {before}
        self.run()
        assert self.value() == before + 1


def train(delays, folder, **options):
    counters = Counters(**options)
    counters.run()
    for delay in delays(0.02):
        interrupted(counters.run, delay)
        counters.check(folder)


def save(delays, folder, **options):
    counters = Counters(**options)
    counters.check(folder)
    for delay in delays(0.02):
        def work():
            counters.saver.save(counters.session, os.path.join(folder, "model"), write_meta_graph=False)
        interrupted(work, delay)
        counters.check(folder)


def compile(delays, folder, **options):
    """The interrupt comes while the step is traced, compiled, or runs for the first time."""
    for delay in delays(0.4):
        with tf.Graph().as_default():
            counters = Counters(**options)
            interrupted(counters.run, delay)
            counters.check(folder)
            counters.session.close()


def wait(delays, folder, **options):
    queue = tf.FIFOQueue(4, tf.int32, shapes=[[]])
    number = tf.placeholder(tf.int32, [])
    put, take, size = queue.enqueue(number), queue.dequeue(), queue.size()
    session = tf.Session()
    for turn, delay in enumerate(delays(0.02)):
        interrupted(lambda: session.run(take), delay)  # waits for an element
        for n in range(4):
            session.run(put, {number: 10 * turn + n})
        interrupted(lambda turn=turn: session.run(put, {number: 10 * turn + 4}), delay)  # waits for room
        assert session.run(size) == 4
        assert [session.run(take) for _ in range(4)] == [10 * turn + n for n in range(4)]


def load(delays, folder, delay):
    """The interrupts come while the first step of the process loads JAX, and while the second one waits for that."""
    counters = Counters(resource=False, starts=False)
    counters.session = tf.Session(tier="xla")
    initialize = tf.global_variables_initializer()
    for _ in range(2):
        interrupted(lambda: counters.session.run(initialize), float(delay))
    counters.session.run(initialize)
    counters.check(folder)


def use(delays, folder, delay):
    """The interrupts come while names that a program uses for the first time load NumPy and our modules."""
    for names in ("Variable", "image.resize_images", "data.Dataset", "raw_ops.Bincount", "keras.Sequential",
                  "contrib.slim.conv2d", "estimator.Estimator"):
        find = operator.attrgetter(names)
        interrupted(lambda find=find: find(tf), float(delay))
        find(tf)
    assert tf.import_graph_def(tf.get_default_graph().as_graph_def()) is None  # looks at all ops


def eager(delays, folder, made_into=lambda step: step, is_whole=False, again=False):
    """A training loop with eager execution: the optimizer adds 1 to variables, one after the other or in a function.

    Args:
        made_into: what the step is made into.
        is_whole: whether the updates of a step are stored together.
        again: whether the step is made anew before each interrupt, which then may come while it is traced.
    """
    def make():
        def step():
            with tf.GradientTape() as tape:
                loss = tf.add_n([-tf.reduce_sum(v) for v in variables])
            optimizer.apply_gradients(zip(tape.gradient(loss, variables), variables))

        return made_into(step)

    with EAGER.as_default():
        variables = [tf.Variable(tf.zeros([SIZE]), name=f"v{n}") for n in range(6)]
        optimizer, step = tf.train.GradientDescentOptimizer(1.0), make()
        for delay in delays(0.2 if again else 0.02):
            step = make() if again else step
            interrupted(step, delay)
            before = [{*v.numpy().tolist()} for v in variables]
            values = [value for (value,) in before]  # no variable is changed in part
            assert max(values) - min(values) <= (0 if is_whole else 1) and values == sorted(values, reverse=True)
            for v in variables:  # the next interrupt may part them again
                v.assign(tf.fill([SIZE], values[0]))
            step()
            assert {value for v in variables for value in v.numpy().tolist()} == {values[0] + 1}


def estimate(delays, folder):
    """The interrupt comes while an Estimator trains, saves or evaluates; then it trains on from its checkpoint."""
    def model(features, labels, mode):
        variables = [tf.get_variable(f"v{n}", [SIZE], initializer=tf.zeros_initializer()) for n in range(6)]
        step = tf.group(*[tf.assign_add(v, tf.ones([SIZE])).op for v in variables],
                        tf.assign_add(tf.train.get_global_step(), 1).op)
        return tf.estimator.EstimatorSpec(mode, loss=tf.reduce_sum(variables[0]) + 0.0 * features, train_op=step)

    def inputs():
        return tf.data.Dataset.from_tensors(1.0).repeat()

    tf.logging.set_verbosity(tf.logging.ERROR)
    config = tf.estimator.RunConfig(folder, save_checkpoints_steps=7, keep_checkpoint_max=2)
    estimator = tf.estimator.Estimator(model, config=config)
    estimator.train(inputs, steps=3)

    def work():
        estimator.train(inputs, steps=10)
        estimator.evaluate(inputs, steps=2)

    for delay in delays(0.6):
        interrupted(work, delay)
        tf.summary.FileWriterCache.clear()
        before = estimator.get_variable_value("global_step")
        estimator.train(inputs, steps=1)
        assert estimator.get_variable_value("global_step") == before + 1
        values = {value for n in range(6) for value in estimator.get_variable_value(f"v{n}").tolist()}
        assert values == {before + 1}, (before, values)


SCENES = {
    "train_ref": (train, {"resource": False}),
    "train_resource": (train, {"resource": True}),
    "train_in_two_stages": (train, {"resource": False, "through_host": True}),
    "train_on_numpy": (train, {"resource": True, "through_host": True, "tier": "numpy"}),
    "save_ref": (save, {"resource": False}),
    "save_resource": (save, {"resource": True}),
    "compile": (compile, {"resource": False}),
    "wait": (wait, {}),
    "eager_loop": (eager, {}),
    "function": (eager, {"made_into": tf.function, "is_whole": True}),
    "function_being_traced": (eager, {"made_into": tf.function, "is_whole": True, "again": True}),
    "estimator": (estimate, {}),
}


def main(scene, seed, moments, folder, *arguments):
    if remote_store.IS_ON:
        remote_store.use()
    signal.signal(signal.SIGINT, signal.default_int_handler)  # a shell has background jobs ignore SIGINT
    choose = random.Random(int(seed))
    function, options = SCENES[scene] if scene in SCENES else ({"load": load, "use": use}[scene], {})
    function(lambda longest: [choose.uniform(0, longest) for _ in range(int(moments))], folder, *arguments, **options)
    print("done")


if __name__ == "__main__":
    main(*sys.argv[1:])
