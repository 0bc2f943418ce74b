"""The public face: the generated table of names, the lazy namespaces over it, and what generates it."""
