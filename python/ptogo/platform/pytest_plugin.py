"""A pytest plugin for test suites of the frontend: pytest -p ptogo.platform.pytest_plugin --platform ptogo"""

import pytest

from . import _frontend


@pytest.hookimpl(tryfirst=True)
def pytest_load_initial_conftests(early_config, args):
    args[:] = _frontend.arguments(args)
    early_config.known_args_namespace = early_config._parser.parse_known_args(args, namespace=early_config.option)


def pytest_configure(config):
    _frontend.install()
