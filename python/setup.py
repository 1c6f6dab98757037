"""Builds wheels that carry the tools.

    python -m pip wheel --no-deps --no-build-isolation -w dist .    for this machine
    PTOGO_PLATFORM=darwin-arm64 python -m pip wheel ...             for another one

Without isolation pip uses the setuptools and wheel that are installed, so this works
offline.

The tools are built from the Go sources around this folder, or around the one
that PTOGO_SOURCE names, so wheels come from a checkout with Go installed; a source
distribution has no tools.
"""

import os
import shutil
import subprocess
from pathlib import Path

from setuptools import Distribution, setup
from setuptools.command.build_py import build_py

try:
    from setuptools.command.bdist_wheel import bdist_wheel
except ImportError:  # setuptools before 70
    from wheel.bdist_wheel import bdist_wheel

# Where the Go sources are.
ROOT = Path(os.environ.get("PTOGO_SOURCE") or Path(__file__).resolve().parent.parent)

# The tools are static, so one wheel fits every Linux. Go itself needs macOS 12.
TAGS = {
    "linux-amd64": "manylinux_2_17_x86_64.musllinux_1_1_x86_64",
    "linux-arm64": "manylinux_2_17_aarch64.musllinux_1_1_aarch64",
    "darwin-amd64": "macosx_12_0_x86_64",
    "darwin-arm64": "macosx_12_0_arm64",
    "windows-amd64": "win_amd64",
    "windows-arm64": "win_arm64",
}


def go(*args, **env):
    return subprocess.run(["go", *args], cwd=ROOT, env={**os.environ, **env}, check=True, stdout=subprocess.PIPE, text=True).stdout


def platform():
    """What to build for, as GOOS-GOARCH."""
    name = os.environ.get("PTOGO_PLATFORM") or "-".join(go("env", "GOOS", "GOARCH").split())
    if name not in TAGS:
        raise SystemExit(f"no wheel is made for {name}: expected one of {', '.join(TAGS)}")
    return name


def commit():
    try:
        return subprocess.run(["git", "rev-parse", "HEAD"], cwd=ROOT, check=True, capture_output=True, text=True).stdout.strip()
    except (OSError, subprocess.CalledProcessError):
        return ""


class BuildTools(build_py):
    def run(self):
        super().run()
        if not (ROOT / "go.mod").exists():
            raise SystemExit("the Go sources are not there: build the wheel in a checkout, with python -m pip wheel")
        system, machine = platform().split("-")
        suffix = ".exe" if system == "windows" else ""
        folder = Path(self.build_lib).resolve() / "ptogo" / "bin"
        shutil.rmtree(folder, ignore_errors=True)  # of another platform
        for tool in ("pto-run", "pto-opt", "pto-reduce", "pto-lsp-server"):
            go(
                "build", "-trimpath", f"-ldflags=-s -w -X ptogo/internal/version.commit={commit()}",
                "-o", str(folder / (tool + suffix)), f"./cmd/{tool}",
                CGO_ENABLED="0", GOOS=system, GOARCH=machine,
            )  # fmt: skip


class PlatformPackage(Distribution):
    """A package with files for one platform."""

    def has_ext_modules(self):
        return True


class PlatformWheel(bdist_wheel):
    """A wheel for one platform and any Python."""

    def get_tag(self):
        return "py3", "none", TAGS[platform()]


setup(distclass=PlatformPackage, cmdclass={"build_py": BuildTools, "bdist_wheel": PlatformWheel})
