"""Reads the event files that a test has written."""

import glob
import os

import evergraph as tf


def events_in(folder):
    """All events of the files in a folder, the oldest file first."""
    return [event for path in sorted(glob.glob(os.path.join(folder, "*tfevents*")), key=os.path.getmtime)
            for event in tf.train.summary_iterator(path)]
