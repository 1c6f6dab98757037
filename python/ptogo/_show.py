"""What notebooks show."""

import html

import numpy as np

from . import _elements

_EDGE = 4


def pre(text):
    return f"<pre>{html.escape(text)}</pre>" if text else ""


class show:
    """A matrix as a table: show(x), or show(bits, "bf16") for numbers that numpy has not got."""

    def __init__(self, array, elem=None, digits=6):
        self.array = np.asarray(array) if elem is None else _elements.decode(array, elem)
        self.elem, self.digits = elem or str(self.array.dtype), digits

    def __repr__(self):
        return np.array2string(self.array, precision=self.digits, threshold=4 * _EDGE * _EDGE, edgeitems=_EDGE)

    def _repr_html_(self):
        a = np.atleast_2d(self.array)
        a = a.reshape(-1, a.shape[-1]) if a.size else a.reshape(0, 0)
        rows, columns = _edges(a.shape[0]), _edges(a.shape[1])
        lines = [f"<caption>{html.escape('x'.join(map(str, self.array.shape)) + ' ' + self.elem)}</caption>"]
        lines.append("<tr><th></th>" + "".join(f"<th>{'&hellip;' if c is None else c}</th>" for c in columns) + "</tr>")
        for r in rows:
            cells = ("&hellip;" if r is None or c is None else self._text(a[r, c]) for c in columns)
            lines.append(f"<tr><th>{'&hellip;' if r is None else r}</th>" + "".join(f"<td>{c}</td>" for c in cells) + "</tr>")
        return "<table>" + "".join(lines) + "</table>"

    def _text(self, x):
        return f"{x:.{self.digits}g}" if np.issubdtype(type(x), np.inexact) else html.escape(str(x))


def _edges(n):
    """The first and the last indices, with None between them if some are left out."""
    if n <= 2 * _EDGE + 1:
        return list(range(n))
    return [*range(_EDGE), None, *range(n - _EDGE, n)]
