"""The functions of `tf.*` that only add nodes to a graph."""

from evergraph.graph.registry import fill_with
from evergraph.ops import declare_all

fill_with(declare_all)
