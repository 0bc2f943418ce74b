"""Every public optimizer, cell and loss of tf.contrib is named by the tests that hold its family to numbers.

Distributions and bijectors have tables of their own, which check the same.
"""

import inspect
import re
from pathlib import Path

import pytest

import evergraph as tf
from evergraph.api.names import NAMES

HERE = Path(__file__).parent
BASES = {"DecoupledWeightDecayExtension", "ExternalOptimizerInterface", "OptimizerV2", "FusedRNNCell", "LayerRNNCell",
         "LSTMBlockWrapper"}  # of what programs define, and of others here
FAMILIES = {  # the namespace, whether classes or functions are meant -> the files of tests
    ("contrib.opt", True): ("test_opt.py", "test_opt_centers.py", "test_opt_more.py", "test_shampoo.py"),
    ("contrib.optimizer_v2", True): ("test_optimizer_v2.py",),
    ("contrib.rnn", True): ("test_rnn_blocks.py", "test_rnn_cells.py", "test_cudnn_rnn.py", "test_turing.py",
                            "../rnn/test_*.py", "../rnn/programs.py"),
    ("contrib.cudnn_rnn", True): ("test_cudnn_rnn.py", "test_cudnn_buffers.py", "test_rnn_cells.py"),
    ("contrib.losses", False): ("test_loss_tables.py",),
    ("contrib.losses.metric_learning", False): ("test_loss_tables.py", "test_metrics.py"),
    ("contrib.gan.losses.wargs", False): ("test_gan.py", "test_gan_losses.py"),
    ("contrib.gan.losses", False): ("test_gan.py", "test_gan_losses.py"),
}
_COLLECTING = {"add_loss", "compute_weighted_loss", "get_losses", "get_regularization_losses", "get_total_loss"}


def _public(namespace, is_class):
    """The names directly below a namespace that are classes, or functions."""
    for name in NAMES:
        parent, _, leaf = name.rpartition(".")
        if parent == namespace and leaf not in BASES | _COLLECTING:
            thing = tf
            for word in name.split("."):
                thing = getattr(thing, word)
            if inspect.isclass(thing) is is_class and callable(thing):
                yield leaf


def _untested(namespace, is_class, files):
    text = "\n".join(path.read_text() for pattern in files for path in sorted(HERE.glob(pattern)))
    return [name for name in _public(namespace, is_class) if not re.search(rf"\b{name}\b", text)]


@pytest.mark.parametrize("family", FAMILIES, ids=lambda family: family[0])
def test_every_member_is_tested(family):
    assert list(_public(*family)), "the family has members"
    assert _untested(*family, FAMILIES[family]) == []


def test_the_check_can_fail():
    assert "lifted_struct_loss" in _untested("contrib.losses.metric_learning", False, ("test_loss_tables.py",))
