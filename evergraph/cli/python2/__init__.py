"""Programs for Python 2, converted in memory as they are loaded."""
