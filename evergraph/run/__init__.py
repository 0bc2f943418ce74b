"""What lives between steps: sessions, their stores, and the executor."""
