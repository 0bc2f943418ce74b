# Written by `python -m evergraph.api.generate`; not edited by hand.
"""tf.compat.v2.io.gfile."""

from evergraph.gfile import GFile as GFile
from evergraph.io.gfile import copy as copy
from evergraph.io.gfile import exists as exists
from evergraph.io.gfile import glob as glob
from evergraph.io.gfile import isdir as isdir
from evergraph.io.gfile import listdir as listdir
from evergraph.io.gfile import makedirs as makedirs
from evergraph.io.gfile import mkdir as mkdir
from evergraph.io.gfile import remove as remove
from evergraph.io.gfile import rename as rename
from evergraph.io.gfile import rmtree as rmtree
from evergraph.io.gfile import stat as stat
from evergraph.io.gfile import walk as walk
