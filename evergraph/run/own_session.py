"""The session of programs that give none: one for each graph, which saving, restoring and Keras share."""
from __future__ import annotations

from typing import Any

from evergraph import proto
from evergraph.graph.graph import Graph
from evergraph.graph.node import session_for
from evergraph.graph.scopes import default_session
from evergraph.run.session import Session


class _Chosen:
    session: Any = None


class _Own:
    """The session that was made for a graph."""

    session: Any = None


def own_session(graph: Graph) -> Any:
    """The default session if it runs the graph, else the chosen one, else a session that is made for the graph once."""
    session = default_session()
    if session is not None and session.graph is graph:
        return session
    session = _Chosen.session
    if session is not None and session.graph is graph:
        return session
    session = graph.memo(_Own).session
    if session is None:
        config = proto.config_pb2.ConfigProto(allow_soft_placement=True)
        session = graph.memo(_Own).session = Session(graph=graph, config=config)
    return session


def session_to_use(session: Any, graph: Graph, doing: str) -> Any:
    """`session`, or the default session, which must run `graph`; where there is neither, that of `own_session`.

    Raises:
        ValueError: the session runs another graph.
    """
    if session is None and default_session() is None:
        return own_session(graph)
    return session_for(session, graph, doing, "`session=`")


def choose_session(session: Any) -> None:
    """Sets the session that `own_session` gives where there is no default session; None forgets it."""
    _Chosen.session = session
