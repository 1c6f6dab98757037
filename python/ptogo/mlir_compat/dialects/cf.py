"""The cf dialect."""

from . import lookup

__getattr__ = lookup("cf")
