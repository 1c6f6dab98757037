"""The math dialect."""

from . import lookup

__getattr__ = lookup("math")
