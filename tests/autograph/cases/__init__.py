"""Functions that AutoGraph converts, each with arguments to call it with."""
