"""`python -m evergraph`: the `evergraph` command."""

import sys

from evergraph.cli import main

sys.exit(main())
