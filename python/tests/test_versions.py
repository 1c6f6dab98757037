"""The oldest version of Python that pyproject.toml admits."""

import ast
import re
from pathlib import Path

import pytest

PACKAGE = Path(__file__).parent.parent


@pytest.mark.parametrize("path", sorted((PACKAGE / "ptogo").rglob("*.py")), ids=lambda p: p.stem)
def test_syntax_of_oldest_version(path):
    oldest = re.search(r'requires-python = ">=3\.(\d+)"', (PACKAGE / "pyproject.toml").read_text())
    tree = ast.parse(path.read_text(), feature_version=(3, int(oldest[1])))
    postponed = any(isinstance(n, ast.ImportFrom) and n.module == "__future__" for n in tree.body)
    if int(oldest[1]) < 10 and not postponed:  # X | Y in an annotation is computed by older versions
        annotations = [a for n in ast.walk(tree) for a in (getattr(n, "annotation", None), getattr(n, "returns", None)) if a]
        assert not [ast.unparse(a) for a in annotations if isinstance(a, ast.BinOp)]
