"""SavedModels of objects: modules with their variables, tables and functions."""
