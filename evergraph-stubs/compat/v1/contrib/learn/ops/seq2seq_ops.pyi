# Written by `python -m evergraph.api.generate`; not edited by hand.
from evergraph.contrib.learn.ops.seq2seq_ops import *
