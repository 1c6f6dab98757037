"""The version of the package, for setuptools and for users: the only place."""

__version__ = "0.1.0"
