"""Notebooks: their cells as programs, the kernel, the extension for IPython, pictures of what programs hold."""
