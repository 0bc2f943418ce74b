"""Several processes: servers, sessions of servers elsewhere, steps that several tasks share."""
