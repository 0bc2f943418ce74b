"""The static face: stubs of every public namespace, for editors and type checkers. See docs/architecture.md."""
