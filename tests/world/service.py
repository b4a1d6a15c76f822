"""The built `recordgate` on a free port with the shared world, for Python suites."""

import os
import pathlib
import resource
import signal
import socket
import subprocess
import tempfile
import time
import urllib.error
import urllib.request

from world import ORGANISATION, RECORD, ROOT, TEAM, WORLD

# However busy the machine is; a service that has ended is not waited for.
READY_SECONDS = 300


def binary():
    path = pathlib.Path(os.environ.get("RECORDGATE_BINARY", ROOT / "target/release/recordgate"))
    if not path.is_file():
        raise SystemExit(f"{path} is not there. Build it first: cargo build --release")
    return str(path)


def free_ports(count=1):
    """The first of `count` neighbouring ports that were free a moment ago."""
    while True:
        held = [socket.socket() for _ in range(count)]
        try:
            held[0].bind(("127.0.0.1", 0))
            first = held[0].getsockname()[1]
            for step, sock in enumerate(held[1:], start=1):
                sock.bind(("127.0.0.1", first + step))
            return first
        except (OSError, OverflowError):
            continue
        finally:
            for sock in held:
                sock.close()


def plain_environment():
    """The environment without settings for the program, as somebody has it who has set none."""
    return {name: value for name, value in os.environ.items() if not name.startswith("RECORDGATE_")}


class Service:
    """One data directory and the process that serves it; survives being killed and started again.

    With `default_place` the program is not told where its data is: it is where it has it by itself, under `directory`."""

    def __init__(self, command="serve", ports=1, options=(), environment=None, files=None, default_place=False):
        self.holder = tempfile.TemporaryDirectory(prefix="recordgate-test-")
        self.directory = pathlib.Path(self.holder.name)
        self.database = f"sqlite:{self.directory / 'data'}"
        self.default_place = default_place
        self.log = self.directory / "log"
        self.command = command
        self.options = options
        self.environment = environment or {}
        self.files = files
        self.port = free_ports(ports)
        self.base = f"http://127.0.0.1:{self.port}"
        self.process = None

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.stop()
        self.holder.cleanup()

    def place(self):
        """How the program is told where its data is."""
        return () if self.default_place else ("--database", self.database)

    def cli(self, *words):
        """Runs `recordgate WORDS` on this service's data and returns what it printed."""
        done = subprocess.run(
            [binary(), *words, "--database", self.database],
            stdin=subprocess.DEVNULL, capture_output=True, text=True, timeout=60, env=plain_environment(),
        )
        if done.returncode != 0:
            raise AssertionError(f"recordgate {' '.join(words)} ended with {done.returncode}:\n{done.stdout}{done.stderr}")
        return done.stdout

    def load_world(self):
        self.cli("apply", str(WORLD))
        self.cli("import", "--organisation", ORGANISATION, "--team", TEAM, str(RECORD))
        return self

    def start(self):
        deadline = time.monotonic() + READY_SECONDS
        self._spawn()
        while not self._ready():
            if self.process.poll() is not None and "cannot listen on" in self.tail(3) and time.monotonic() < deadline:
                # Another suite's connection has the port for a moment. It stays ours: clients of before a restart know it.
                self._spawn()
            elif self.process.poll() is not None or time.monotonic() > deadline:
                self.stop()
                raise AssertionError(f"the service did not become ready; its log:\n{self.tail()}")
            time.sleep(0.02)
        return self

    def _spawn(self):
        with self.log.open("ab") as log:
            self.process = subprocess.Popen(
                [binary(), self.command, *self.place(), "--listen", f"127.0.0.1:{self.port}",
                 "--base-url", self.base, *self.options],
                stdin=subprocess.DEVNULL, stdout=log, stderr=log, cwd=self.directory,
                env={**plain_environment(), **self.environment}, preexec_fn=self._bound_files,
            )

    def _bound_files(self):
        """In the child, before it becomes the service: so many files and no more, not even if it asks for them."""
        if self.files is not None:
            resource.setrlimit(resource.RLIMIT_NOFILE, (self.files, self.files))

    def _ready(self):
        try:
            with urllib.request.urlopen(f"{self.base}/readyz", timeout=2) as answer:
                return answer.status == 200
        except (urllib.error.URLError, OSError):
            return False

    def kill(self):
        """SIGKILL: no chance to finish anything."""
        self.process.send_signal(signal.SIGKILL)
        self.process.wait()
        self.process = None

    def stop(self):
        """SIGTERM, and SIGKILL for one that does not listen. Returns the exit code."""
        if self.process is None:
            return None
        self.process.terminate()
        try:
            code = self.process.wait(timeout=120)
        except subprocess.TimeoutExpired:
            self.process.kill()
            code = self.process.wait()
        self.process = None
        return code

    def tail(self, lines=40):
        return "\n".join(self.log.read_text(errors="replace").splitlines()[-lines:])
