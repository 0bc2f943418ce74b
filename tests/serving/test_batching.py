"""What waits is run together, and each request gets what it would have got alone."""

import gc
import json
import threading
from types import SimpleNamespace

import numpy as np
import pytest

import evergraph as tf
from evergraph.base import errors
from evergraph.serving.asking import Asking, Question
from evergraph.serving.batching import Batching, Call, Queue
from evergraph.serving.config import Source, read_batching
from evergraph.serving.core import Core
from evergraph.serving.http import Request
from evergraph.serving.servable import Loading
from evergraph.serving.signature import Signature
from tests.serving.harness import DATA, Client, export, serving


def doubled():
    x = tf.placeholder(tf.float32, [None, None], name="x")
    return {"x": x}, {"y": 2.0 * x, "size": tf.fill(tf.shape(x)[:1], tf.shape(x)[1])}


class Runs(list):
    """(rows asked for, rows run) of each run."""

    def __call__(self, asked, run, seconds):
        self.append((asked, run))


def made(batching, build=doubled):
    inputs, outputs = build()
    runs = Runs()
    return Queue(Signature("serving_default", tf.Session(), inputs, outputs), batching, 1, 30.0, runs), runs


def called(queue, value, outputs=None, deadline=None):
    call = Call([np.array(value, np.float32)], outputs or queue.signature.output_names, deadline, lambda call: None)
    queue.add(call)
    return call


def results(call):
    assert call.error is None, call.error
    return [value.tolist() for value in call.results]


def test_rows_are_put_together():
    queue, runs = made(Batching(max_batch_size=8, allowed_batch_sizes=(4, 8)))
    calls = [called(queue, [[1], [2]]), called(queue, [[3]]), called(queue, [[4], [5], [6]])]
    queue.drain()
    assert [results(call)[1] for call in calls] == [[[2], [4]], [[6]], [[8], [10], [12]]]
    assert runs == [(6, 8)]
    called(queue, [[1]])
    queue.drain()
    assert runs == [(6, 8), (1, 4)]


def test_what_differs_runs_apart():
    queue, runs = made(Batching(max_batch_size=8))
    calls = [called(queue, [[1]]), called(queue, [[1, 2]]), called(queue, [[3]]), called(queue, [[5]], ("y",))]
    queue.drain()
    assert [results(call)[-1] for call in calls] == [[[2]], [[2, 4]], [[6]], [[10]]]
    assert runs == [(2, 2), (1, 1), (1, 1)]


def test_lengths_are_padded_with_the_first_element():
    queue, runs = made(Batching(max_batch_size=8, pad_variable_length_inputs=True))
    calls = [called(queue, [[1]]), called(queue, [[3, 4]])]
    queue.drain()
    assert [results(call) for call in calls] == [[[2], [[2, 2]]], [[2], [[6, 8]]]]
    assert runs == [(2, 2)]


def test_the_most_rows_of_a_run():
    queue, runs = made(Batching(max_batch_size=4, enable_large_batch_splitting=True, max_enqueued_batches=9))
    calls = [called(queue, [[float(i)] for i in range(n)]) for n in (3, 2, 10)]
    queue.drain()
    assert [len(call.results[0]) for call in calls] == [3, 2, 10]
    assert results(calls[2])[1] == [[2.0 * i] for i in range(10)]
    assert all(run <= 4 for _, run in runs)
    queue, _ = made(Batching(max_batch_size=4))
    with pytest.raises(errors.InvalidArgumentError, match="4 rows"):
        called(queue, [[1]] * 5)


def test_a_full_queue_refuses_at_once():
    queue, _ = made(Batching(max_batch_size=2, max_enqueued_batches=2))
    calls = [called(queue, [[1], [2]]), called(queue, [[3]]), called(queue, [[4]])]
    with pytest.raises(errors.ResourceExhaustedError):
        called(queue, [[5]])
    queue.drain()
    assert [len(call.results[0]) for call in calls] == [2, 1, 1]
    called(queue, [[5]])


def test_a_deadline_cancels():
    queue, runs = made(Batching(max_batch_size=8))
    late, other = called(queue, [[1]], deadline=0.0), called(queue, [[2]])
    queue.drain()
    assert isinstance(late.error, errors.DeadlineExceededError) and results(other)[1] == [[4]]
    assert runs == [(1, 1)]


def checked():
    x = tf.placeholder(tf.float32, [None], name="x")
    return {"x": x}, {"y": tf.check_numerics(x, "odd")}


def test_the_error_of_one_request_is_its_own():
    queue, _ = made(Batching(max_batch_size=8), checked)
    good, bad, other = called(queue, [1]), called(queue, [np.nan]), called(queue, [2])
    queue.drain()
    assert results(good) == [[1]] and results(other) == [[2]]
    assert isinstance(bad.error, errors.InvalidArgumentError)


def without_rows():
    x = tf.placeholder(tf.float32, None, name="x")
    return {"x": x}, {"y": tf.reduce_sum(x, keepdims=True)}


def test_outputs_without_rows_end_batching():
    queue, _ = made(Batching(max_batch_size=8), without_rows)
    calls = [called(queue, [1, 2]), called(queue, [3])]
    queue.drain()
    assert [results(call) for call in calls] == [[[3]], [[3]]] and queue.batching is None


def test_threads_share_a_run():
    queue, runs = made(Batching(max_batch_size=64, batch_timeout_micros=50_000, max_enqueued_batches=10))
    seen = []

    def ask(number):
        call = called(queue, [[float(number)]])
        while not call.is_over:
            queue.drain()
        seen.append((number, results(call)[1]))

    threads = [threading.Thread(target=ask, args=(number,)) for number in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert sorted(seen) == [(number, [[2.0 * number]]) for number in range(8)]
    assert sum(asked for asked, _ in runs) == 8


class Loop:
    """An event loop that only notes what it is asked for."""

    def __init__(self):
        self.soon, self.from_threads = [], []

    def call_soon(self, act):
        self.soon.append(act)

    def call_soon_threadsafe(self, act, *arguments):
        self.from_threads.append((act, arguments))


@pytest.fixture
def asked(tmp_path, graph):
    """(a model's Core, the question that it was asked over HTTP and that waits, the loop, its answers)."""
    core = Core([Source("m", export(tmp_path / "1", doubled))], Loading(), Batching(max_batch_size=8))
    core.models.update()
    loop, answers = Loop(), []
    connection = SimpleNamespace(reply=lambda *answer: answers.append(answer))
    question = Question(core.models.find("m"), "", [np.ones((1, 1), np.float32)], ("y",))
    question.servable.signatures["serving_default"].is_light = True
    Asking(core, loop, 30.0).answer(Request("POST", "/", {}, b"", 0.0), connection, question, "predict",
                                    lambda results: results[0].tobytes())  # fmt: skip
    del question
    yield core, loop, answers
    core.close()


def test_a_request_that_another_thread_runs_is_answered_in_the_loop(asked):
    """The thread that runs a large request takes what waits, small ones among it; their connections are the loop's."""
    core, loop, answers = asked
    thread = threading.Thread(target=core.models.find("m").queues["serving_default"].drain)
    thread.start()
    thread.join()
    assert not answers
    ((act, arguments),) = loop.from_threads
    act(*arguments)
    assert answers == [(200, np.float32(2).tobytes())]


def test_a_request_that_waits_keeps_its_version(asked):
    core, loop, answers = asked
    model = core.models.by_name["m"]
    model.unload(1)
    assert model.versions[1].state == "UNLOADING"
    for act in loop.soon:
        act()
    assert answers == [(200, np.float32(2).tobytes())]
    loop.soon.clear()
    gc.collect()
    assert model.versions[1].state == "END"


def test_the_parameters_file(tmp_path):
    found = read_batching(str(DATA / "batching_config.txt"))
    assert (found.max_batch_size, found.batch_timeout_micros, found.num_batch_threads) == (128, 0, 8)
    assert Batching(max_batch_size=100).sizes == (1, 2, 4, 8, 16, 32, 64, 100)
    for text in ("allowed_batch_sizes: [8, 4]", "max_batch_size {value: 4} allowed_batch_sizes: 2", "oops",
                 "max_batch_size {value: 0}", "num_batch_threads {value: -1}"):
        (tmp_path / "file").write_text(text)
        with pytest.raises(errors.InvalidArgumentError):
            read_batching(str(tmp_path / "file"))


def test_a_server_with_batching(tmp_path, graph):
    source = Source("m", export(tmp_path / "1", doubled))
    with serving(source, batching=Batching(max_batch_size=4, max_enqueued_batches=2)) as server:
        clients = [Client(server) for _ in range(3)]
        for number, client in enumerate(clients):
            client._connection.request("POST", "/v1/models/m:predict", json.dumps({"instances": [[number]]}))
        answers = [json.loads(client._connection.getresponse().read()) for client in clients]
        assert [row["y"] for answer in answers for row in answer["predictions"]] == [[0.0], [2.0], [4.0]]
        assert clients[0].ask("m", instances=[[1]] * 5)[0] == 400
        metrics = clients[0].send("GET", "/monitoring/prometheus/metrics")[2].decode()
        for client in clients:
            client.close()
    assert ':tensorflow:serving:request_count{model_name="m",status="OK"} 3' in metrics
    assert ':tensorflow:serving:request_count{model_name="m",status="INVALID_ARGUMENT"} 1' in metrics
    assert ':tensorflow:serving:request_latency_count{model_name="m",API="predict",entrypoint="REST"} 3' in metrics
