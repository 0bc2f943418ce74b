"""Tools that look at a program from outside: gradient checks, test helpers."""
