"""PTO kernels on numpy arrays, executed by pto-run."""

__version__ = "0.1.0"
