"""Tests of the package run on tools built from the source beside it, unless PTO_RUN
and PTO_OPT name others."""

import os
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
