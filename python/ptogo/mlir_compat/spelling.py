"""Older names of operations, as a module was built with them.

pto-opt reads them and prints those of today. Frontends, and their tests, look
for the names that they use, so that a module prints with these.
"""

import re

from ._definitions import OLD_NAMES, OLD_PREFIXES


def restore(text, op):
    """Puts the names that op and what it holds were built with into what
    pto-opt printed for it: one operation on a line, in the same order."""
    ops = {}
    for o in op._walk_all():
        ops.setdefault(OLD_NAMES.get(o.name, o.name), []).append(o)
    for name in [n for n, found in ops.items() if any(_is_old(n, o) for o in found)]:
        line = re.compile(rf"^(\s*(?:%[^=\n]* = )?){re.escape(name)}(?![\w.])(.*)$", re.M)
        if len(line.findall(text)) == len(ops[name]):
            built = iter(ops[name])
            text = line.sub(lambda m: _as_built(m, name, next(built)), text)
    return text


def _is_old(name, o):
    return o.name != name or _old_text(name, o) is not None


def _old_text(name, o):
    """The text of the attribute that has another one today, or None."""
    attribute, old, _ = OLD_PREFIXES.get(name, (None, None, None))
    a = o._attributes.get(attribute) if attribute else None
    return str(a) if a is not None and str(a).startswith(f'"{old}') else None


def _as_built(m, name, o):
    rest, text = m[2], _old_text(name, o)
    if text is not None:
        _, old, today = OLD_PREFIXES[name]
        rest = rest.replace(f'"{today}{text[1 + len(old):]}', text, 1)
    return m[1] + o.name + rest
