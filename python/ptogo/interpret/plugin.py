"""A pytest plugin: -p ptogo.interpret.plugin, which workers of xdist load too."""

from . import install

install()
