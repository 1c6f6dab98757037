"""Reads kernel_config.py, the list of kernels that the frontend writes."""

import ast
from dataclasses import dataclass
from pathlib import Path

from ._errors import PlatformError


@dataclass
class Kernel:
    """A kernel: its number in tasks, its name, the C++ file with its wrapper, and its core (aic or aiv)."""

    number: int
    name: str
    source: Path
    core: str
    external: bool = False
    include: tuple = ()  # folders with files that a kernel in C++ includes


class Manifest:
    """The orchestration, the kernels by number, and the name of the runtime."""

    def __init__(self, folder):
        self.folder = Path(folder).resolve()
        path = self.folder / "kernel_config.py"
        try:
            module = ast.parse(path.read_text(encoding="utf-8"))
        except FileNotFoundError:
            raise PlatformError(
                f"{self.folder} has no kernel_config.py",
                "name the folder that the frontend writes; without ptoas the frontend does not write this file: set PTOAS_ROOT, or use python -m ptogo.platform",
            ) from None
        except SyntaxError as e:
            raise PlatformError(f"{path}:{e.lineno}: {e.msg}") from None
        values = {t.id: n.value for n in module.body if isinstance(n, ast.Assign) for t in n.targets if isinstance(t, ast.Name)}
        for name in ("KERNELS", "ORCHESTRATION"):
            if name not in values:
                raise PlatformError(f"{path}: the list {name} is missing")
        try:
            self.orchestration = Path(self._dict(values["ORCHESTRATION"])["source"])
            self.runtime = self._dict(values["RUNTIME_CONFIG"]).get("runtime", "") if "RUNTIME_CONFIG" in values else ""
            self.kernels = {}
            for entry in values["KERNELS"].elts:
                d = self._dict(entry)
                self.kernels[d["func_id"]] = Kernel(d["func_id"], d["name"], Path(d["source"]), d["core_type"], bool(d.get("external", False)), tuple(d.get("extra_include_dirs", ())))
        except (KeyError, AttributeError, ValueError) as e:
            raise PlatformError(f"{path}: cannot read the lists KERNELS and ORCHESTRATION: {e}") from None

    def _dict(self, node):
        """The entries of a dict whose values are constants or paths. Other entries are left out."""
        d = {}
        for key, value in zip(node.keys, node.values):
            found = self._value(value)
            if found is not None:
                d[key.value] = found
        return d

    def _value(self, node):
        """A constant, or a path such as str(_ROOT_DIR / "kernels" / "k.cpp"); None for others."""
        if isinstance(node, ast.Constant):
            return node.value
        if isinstance(node, ast.List):
            return [self._value(v) for v in node.elts]
        if isinstance(node, ast.Call) and getattr(node.func, "id", None) == "str" and len(node.args) == 1:
            return str(self._value(node.args[0]))
        if isinstance(node, ast.BinOp) and isinstance(node.op, ast.Div):
            return Path(self._value(node.left)) / self._value(node.right)
        if isinstance(node, ast.Name) and node.id == "_ROOT_DIR":
            return self.folder
        return None
