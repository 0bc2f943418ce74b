"""Training steps of large networks on a GPU: python -m benchmarks.gpu [--bert FOLDER] [--steps N] [ROW ...]

Each row runs in a process of its own and prints the seconds of the initializer, of the first step (compilation
included) and of later ones, and what those come to in examples or tokens a second. ResNet-50 also runs on PyTorch where
that is installed, BERT on JAX alone. BERT is google-research/bert's own modeling.py and optimization.py: `--bert` names
a checkout.
"""

import argparse
import importlib
import os
import statistics
import subprocess
import sys
import time

BATCH, LENGTH, PIXELS, CLASSES = 64, 128, 224, 1000
WARM_UP = 5


def _timed(name, count, unit, initialize, step, steps):
    """Prints the row of a training step that handles `count` of `unit` at once."""
    start = time.perf_counter()
    initialize()
    initialized = time.perf_counter()
    step()
    first = time.perf_counter()
    for _ in range(WARM_UP):
        step()
    times = []
    for _ in range(steps):
        began = time.perf_counter()
        step()
        times.append(time.perf_counter() - began)
    median = statistics.median(times)
    print(f"{name:24} initializer {initialized - start:6.1f} s  first step {first - initialized:6.1f} s  "
          f"step {1000 * median:7.2f} ms  {count / median:10,.0f} {unit}/s", flush=True)


def resnet(steps):
    """contrib.slim's ResNet-50 with momentum."""
    import evergraph as tf
    from evergraph.contrib import slim

    images, labels = tf.random_uniform([BATCH, PIXELS, PIXELS, 3], seed=1), tf.zeros([BATCH], tf.int32)
    images, labels = tf.Variable(images, trainable=False), tf.Variable(labels, trainable=False)
    with slim.arg_scope(slim.nets.resnet_v1.resnet_arg_scope()):
        logits, _ = slim.nets.resnet_v1.resnet_v1_50(images, CLASSES, is_training=True)
    loss = tf.losses.sparse_softmax_cross_entropy(labels, tf.reshape(logits, [BATCH, CLASSES]))
    with tf.control_dependencies(tf.get_collection(tf.GraphKeys.UPDATE_OPS)):
        train = tf.train.MomentumOptimizer(0.1, 0.9).minimize(loss)
    _run("ResNet-50", BATCH, "images", tf, train, loss, steps)


def mixed(row):
    """A row with automatic mixed precision."""

    def run(steps):
        os.environ["TF_ENABLE_AUTO_MIXED_PRECISION"] = "1"
        row(steps)

    return run


def _run(name, count, unit, tf, train, loss, steps):
    name += ", mixed" if os.environ.get("TF_ENABLE_AUTO_MIXED_PRECISION") == "1" else ""
    session = tf.Session()
    fetches = train if os.environ.get("WITHOUT_LOSS") else [train, loss]
    _timed(name, count, unit, lambda: session.run(tf.global_variables_initializer()),
           lambda: session.run(fetches), steps)


def bert(steps):
    """BERT-base: the masked language model's loss over all positions."""
    sys.path.insert(0, os.environ["BERT"])
    importlib.import_module("evergraph.as_tensorflow")  # first, because the others import tensorflow
    import modeling
    import optimization
    import tensorflow as tf

    config = modeling.BertConfig(vocab_size=30522)
    ids = tf.Variable(tf.random_uniform([BATCH, LENGTH], 0, 30522, tf.int32, seed=1), trainable=False)
    model = modeling.BertModel(config, True, ids, use_one_hot_embeddings=False)
    hidden = tf.reshape(model.get_sequence_output(), [-1, config.hidden_size])
    logits = tf.matmul(hidden, model.get_embedding_table(), transpose_b=True)
    loss = tf.losses.sparse_softmax_cross_entropy(tf.reshape(ids, [-1]), logits)
    train = optimization.create_optimizer(loss, 1e-4, 1000, 10, False)
    _run("BERT-base", BATCH * LENGTH, "tokens", tf, train, loss, steps)


def torch_resnet(steps):
    """torchvision's ResNet-50, eager, channels last."""
    import torch
    import torchvision

    torch.backends.cuda.matmul.allow_tf32 = torch.backends.cudnn.allow_tf32 = True
    torch.backends.cudnn.benchmark = True
    model = torchvision.models.resnet50().cuda().to(memory_format=torch.channels_last)
    images = torch.rand(BATCH, 3, PIXELS, PIXELS, device="cuda").to(memory_format=torch.channels_last)
    labels = torch.zeros(BATCH, dtype=torch.long, device="cuda")
    optimizer = torch.optim.SGD(model.parameters(), 0.1, 0.9, weight_decay=1e-4)

    def step():
        optimizer.zero_grad()
        loss = torch.nn.functional.cross_entropy(model(images), labels)
        loss.backward()
        optimizer.step()
        loss.item()

    _timed("ResNet-50, PyTorch", BATCH, "images", torch.cuda.synchronize, step, steps)


def jax_bert(steps, dtype="float32"):
    """The same network, optimizer and loss in JAX alone, products in TF32 or everything but the weights in bfloat16."""
    import jax

    from benchmarks import plain_jax

    jax.config.update("jax_default_matmul_precision", "tensorfloat32")
    ids = jax.random.randint(jax.random.key(1), (BATCH, LENGTH), 0, 30522)
    _timed(f"BERT-base, JAX {dtype}", BATCH * LENGTH, "tokens", lambda: None, plain_jax.trainer(ids, dtype), steps)


def jax_bert_half(steps):
    jax_bert(steps, "bfloat16")


ROWS = {"resnet": resnet, "resnet_mixed": mixed(resnet), "torch_resnet": torch_resnet, "bert": bert,
        "jax_bert": jax_bert, "bert_mixed": mixed(bert), "jax_bert_half": jax_bert_half}


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("rows", nargs="*", metavar="ROW", help=f"of {', '.join(ROWS)}; all by default")
    parser.add_argument("--bert", default=os.environ.get("BERT"), help="a checkout of google-research/bert")
    parser.add_argument("--steps", type=int, default=30)
    parser.add_argument("--without-loss", action="store_true",
                        help="fetch the training operation alone: a step then returns while the device computes it")
    parser.add_argument("--here", action="store_true", help="run the row in this process")
    given = parser.parse_args()
    if given.here:
        ROWS[given.rows[0]](given.steps)
        return
    for row in given.rows or ROWS:
        if row.startswith("bert") and not given.bert:
            print("BERT-base: name a checkout with --bert")
            continue
        done = subprocess.run([sys.executable, "-m", "benchmarks.gpu", "--here", row, "--steps", str(given.steps)],
                              env=os.environ | {"BERT": given.bert or "", "WITHOUT_LOSS": "1" * given.without_loss})
        if done.returncode:
            print(f"{row}: failed")


if __name__ == "__main__":
    main()
