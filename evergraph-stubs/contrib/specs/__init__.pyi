# Written by `python -m evergraph.api.generate`; not edited by hand.
"""tf.contrib.specs."""

from typing import Any
from evergraph.contrib.specs import summaries as summaries

import sys
if sys.platform == "":
    del (
        functions, nets, vocabulary,
    )

def create_net(spec: str, inputs: Any, environment: Any = None) -> Any:
    """The output of the network that a specification calls `net`."""

def create_net_fun(spec: str, environment: Any = None) -> Any:
    """The function that a specification calls `net`; `funcall` applies it."""

def eval_params(params: str, environment: Any = None) -> dict[str, Any]:
    """The values that `name = expression` statements give, with random numbers by Uf, Ui, Lf, Li and Nt."""

def eval_spec(spec: str, environment: Any = None) -> dict[str, Any]:
    """The functions that the statements of a specification name."""

ops: Any
