"""Tests of the package run on tools built from the source beside it, unless PTO_RUN
and PTO_OPT name others."""

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
sys.path.insert(0, str(ROOT / "python"))
os.environ["PYTHONPATH"] = os.pathsep.join(filter(None, [str(ROOT / "python"), os.environ.get("PYTHONPATH")]))

pytest_plugins = ["pytester"]


def pytest_configure(config):
    if "PTO_RUN" not in os.environ:
        subprocess.run(["go", "build", "-o", str(ROOT / "bin") + os.sep, "./cmd/pto-run", "./cmd/pto-opt"], cwd=ROOT, check=True)
        os.environ["PTO_RUN"], os.environ["PTO_OPT"] = str(ROOT / "bin/pto-run"), str(ROOT / "bin/pto-opt")


@pytest.fixture
def examples():
    return ROOT / "examples"


@pytest.fixture
def settings(tmp_path_factory, monkeypatch):
    """For programs of a frontend: a cache of the test run, the stand-in for the runtime, and afterwards the usual options."""
    from ptogo import platform
    from ptogo.platform import _options

    monkeypatch.setenv("PTOGO_CACHE", str(tmp_path_factory.getbasetemp() / "cache"))
    monkeypatch.setenv("PTOGO_RUNTIME", str(Path(__file__).parent / "platform_runtime"))
    yield
    platform.configure(**vars(_options.Options()))


@pytest.fixture
def folder(request, tmp_path, settings):
    """A copy of the folder PROGRAM of the test module, in the form that a frontend generates."""
    return Path(shutil.copytree(Path(__file__).parent / request.module.PROGRAM, tmp_path / "model"))
