"""The process that runs kernels: pto-run --serve.

Requests are JSON-RPC with the framing of language servers; the documentation of
the Go package internal/serve says what they are. The process is started at the
first request, and again after it died.
"""

import atexit
import json
import os
import subprocess
import sys
import tempfile
import threading

from . import _tools
from ._errors import ServerDied

VERSION = 1  # of the protocol
PATIENCE = 5  # seconds for a request that was cancelled, and for the process to end


class RequestError(RuntimeError):
    """A request that the server does not understand."""

    def __init__(self, code, message):
        super().__init__(message)
        self.code = code


class Server:
    """One process. Threads may share it; a fork has to start its own."""

    def __init__(self):
        self.directory = os.getcwd()
        self.pid = os.getpid()
        self._said = tempfile.TemporaryFile()
        # A group of its own: Ctrl-C is for Python, which cancels the request.
        group = (
            {"creationflags": subprocess.CREATE_NEW_PROCESS_GROUP}
            if sys.platform == "win32"
            else {"start_new_session": True}
        )
        self._process = subprocess.Popen(
            [_tools.find("pto-run"), "--serve"],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=self._said,
            bufsize=0,
            **group,
        )
        self._sending = threading.Lock()
        self._waiting = {}  # by id: [event, message]
        self._last = 0
        self.alive = True
        threading.Thread(target=self._read, name="ptogo", daemon=True).start()
        self.about = self.request("initialize", {"version": VERSION})

    def _read(self):
        """Reads answers: in a thread of its own, where no signal interrupts it."""
        stream = os.fdopen(os.dup(self._process.stdout.fileno()), "rb")
        try:
            while True:
                size = None
                while (line := stream.readline().strip()) != b"":
                    name, _, value = line.partition(b":")
                    if name.lower() == b"content-length":
                        size = int(value)
                if size is None:
                    break
                message = json.loads(stream.read(size))
                waiting = self._waiting.pop(message.get("id"), None)
                if waiting:
                    waiting[1] = message
                    waiting[0].set()
        except (OSError, ValueError):
            pass
        finally:
            stream.close()
            self.alive = False
            for waiting in list(self._waiting.values()):
                waiting[0].set()

    def _send(self, message):
        body = json.dumps(message, separators=(",", ":")).encode()
        frame = memoryview(b"Content-Length: %d\r\n\r\n" % len(body) + body)
        with self._sending:
            try:
                while frame:
                    frame = frame[os.write(self._process.stdin.fileno(), frame) :]
            except (OSError, ValueError):
                self.alive = False
            except BaseException:  # half a message is none
                self.kill()
                raise

    def request(self, method, params):
        """Returns the result of a request. Ctrl-C cancels it."""
        with self._sending:
            self._last += 1
            number = self._last
        waiting = self._waiting[number] = [threading.Event(), None]
        self._send({"jsonrpc": "2.0", "id": number, "method": method, "params": params})
        try:
            self._wait(waiting[0])
        except KeyboardInterrupt as interrupt:
            raise KeyboardInterrupt(self._cancel(number, waiting)) from interrupt
        finally:
            self._waiting.pop(number, None)
        message = waiting[1]
        if message is None:
            raise ServerDied(text=self._obituary())
        if "error" in message:
            raise RequestError(message["error"]["code"], message["error"]["message"])
        return message["result"]

    def _wait(self, event):
        # With a limit, so that Ctrl-C comes through on Windows, too, and nobody
        # waits for who died before it was asked.
        while not event.wait(0.5):
            if not self.alive:
                return

    def _cancel(self, number, waiting):
        """Ends a request and returns where it was."""
        self._send({"jsonrpc": "2.0", "method": "$/cancelRequest", "params": {"id": number}})
        try:
            ended = waiting[0].wait(PATIENCE)
        except KeyboardInterrupt:
            ended = False
        if not ended:
            self.kill()
            return "interrupted; pto-run had to be ended"
        said = ((waiting[1] or {}).get("result") or {}).get("diagnostics") or []
        return "\n".join(d.get("rendered", "") for d in said).rstrip("\n")

    def _obituary(self):
        code = self._process.wait()
        text = f"pto-run ended with code {code} during a request; the next one starts it again"
        try:
            self._said.seek(0)
            said = self._said.read().decode(errors="replace")
        except (OSError, ValueError):
            said = ""
        return text + ("\n" + said[:4000] if said else "")

    def kill(self):
        self.alive = False
        self._process.kill()

    def close(self):
        """Ends the process."""
        self.alive = False
        try:
            self._process.stdin.close()
            self._process.wait(PATIENCE)
        except (OSError, subprocess.TimeoutExpired):
            self._process.kill()
            self._process.wait()
        self._process.stdout.close()
        self._said.close()

    def abandon(self):
        """Lets go of the pipes of a server that belongs to the parent of a fork."""
        self._process.stdin.close()
        self._process.stdout.close()
        self._process.returncode = 0  # it is nobody's child here


_server = None
_starting = threading.RLock()


def server():
    """The server of this process, in the present directory, alive."""
    global _server
    s = _server
    if s is not None and s.alive and s.pid == os.getpid() and s.directory == os.getcwd():
        return s
    with _starting:
        s = _server
        if s is not None and (not s.alive or s.directory != os.getcwd()):
            s.close()
            _server = None
        if _server is None:
            _server = Server()
        return _server


def shutdown():
    """Ends the server; the next request starts another one."""
    global _server
    with _starting:
        if _server is not None:
            _server.close()
            _server = None


def _after_fork():
    global _server, _starting
    _starting = threading.RLock()
    if _server is not None:
        _server.abandon()
        _server = None


atexit.register(shutdown)
if hasattr(os, "register_at_fork"):
    os.register_at_fork(after_in_child=_after_fork)
