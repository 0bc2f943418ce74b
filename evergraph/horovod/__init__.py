"""Horovod's interface over groups of processes: what `import horovod` means where Horovod is not installed."""

__version__ = "0.19.5"
