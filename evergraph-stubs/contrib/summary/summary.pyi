# Written by `python -m evergraph.api.generate`; not edited by hand.
"""tf.contrib.summary.summary."""

from evergraph.summary import all_v2_summary_ops

from evergraph.contrib.summary import SummaryWriter as SummaryWriter
all_summary_ops = all_v2_summary_ops
from evergraph.contrib.summary import always_record_summaries as always_record_summaries
from evergraph.contrib.summary import audio as audio
from evergraph.contrib.summary import create_file_writer as create_file_writer
from evergraph.contrib.summary import create_summary_file_writer as create_summary_file_writer
from evergraph.contrib.summary import eval_dir as eval_dir
from evergraph.contrib.summary import flush as flush
from evergraph.contrib.summary import generic as generic
from evergraph.contrib.summary import graph as graph
from evergraph.contrib.summary import histogram as histogram
from evergraph.contrib.summary import image as image
from evergraph.contrib.summary import import_event as import_event
from evergraph.summary import initialize as initialize
from evergraph.contrib.summary import never_record_summaries as never_record_summaries
from evergraph.contrib.summary import record_summaries_every_n_global_steps as record_summaries_every_n_global_steps
from evergraph.contrib.summary import scalar as scalar
from evergraph.contrib.summary import should_record_summaries as should_record_summaries
from evergraph.contrib.summary import summary_writer_initializer_op as summary_writer_initializer_op
