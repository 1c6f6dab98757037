"""Files that are made once and used again: compiled orchestrations, and kernels ready to run."""

import hashlib
import os
import tempfile
from pathlib import Path


def folder():
    """The folder of the cache: PTOGO_CACHE, or ptogo/platform in the user's folder for caches."""
    named = os.environ.get("PTOGO_CACHE")
    if named:
        return Path(named)
    return Path(os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache") / "ptogo" / "platform"


def key(*parts):
    """A name for what is made of the parts, which are texts."""
    digest = hashlib.sha256()
    for part in parts:
        data = part.encode()
        digest.update(len(data).to_bytes(8, "little"))
        digest.update(data)
    return digest.hexdigest()[:32]


def made(name, make):
    """The path of the file with a name. If it does not exist, make(path) writes it."""
    path = folder() / name
    if path.exists():
        return path
    path.parent.mkdir(parents=True, exist_ok=True)
    number, new = tempfile.mkstemp(dir=path.parent, prefix=".new-", suffix=path.suffix)
    os.close(number)
    try:
        make(Path(new))
        os.replace(new, path)  # another process can write the same file
    except BaseException:
        if os.path.exists(new):
            os.unlink(new)
        raise
    return path
