"""What deploy/ describes, standing on this machine: a private PostgreSQL, two nodes, and nginx in front."""

import os
import pathlib
import subprocess
import tempfile
import urllib.error
import urllib.request

from nginx import PATIENCE, Nginx, end, until
from service import binary, free_ports
from world import ORGANISATION, RECORD, ROOT, TEAM, WORLD


def is_ready(url):
    try:
        with urllib.request.urlopen(url, timeout=5) as answer:
            return answer.status == 200
    except (urllib.error.URLError, OSError):
        return False


class Standing:
    """All of it; `close` takes it down again."""

    def __init__(self):
        self.holder = tempfile.TemporaryDirectory(prefix="recordgate-deploy-")
        self.home = pathlib.Path(self.holder.name)
        self.processes, self.database, self.proxy = [], None, None
        try:
            self._stand()
        except BaseException:
            self.close()
            raise

    def _stand(self):
        cluster = os.environ.get("RECORDGATE_CLUSTER", ROOT / "target/release/cluster")
        self.database = subprocess.Popen([cluster], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
        self.url = self.database.stdout.readline().strip()
        if not self.url:
            raise AssertionError("the private PostgreSQL did not start")
        self.cli("apply", str(WORLD))
        self.cli("import", "--organisation", ORGANISATION, "--team", TEAM, str(RECORD))
        self.proxy = Nginx(self.home / "proxy")
        self.nodes = [self.node(), self.node()]
        self.proxy.start([address for address, _ in self.nodes])

    def _environment(self):
        kept = {name: value for name, value in os.environ.items() if not name.startswith("RECORDGATE_")}
        return {**kept, "RECORDGATE_DATABASE": self.url, "RECORDGATE_KEYS": str(self.home / "keys")}

    def cli(self, *words):
        done = subprocess.run(
            [binary(), *words], env=self._environment(), stdin=subprocess.DEVNULL, capture_output=True, text=True, timeout=PATIENCE
        )
        if done.returncode != 0:
            raise AssertionError(f"recordgate {' '.join(words)} ended with {done.returncode}:\n{done.stdout}{done.stderr}")
        return done.stdout

    def node(self):
        """Another node, ready; its address and its process."""
        while True:
            port = free_ports()
            environment = {
                "RECORDGATE_LISTEN": f"127.0.0.1:{port}", "RECORDGATE_BASE_URL": "https://records.example.org",
                "RECORDGATE_TRUST_FORWARDED_FOR": "true",
            }
            with (self.home / f"node-{port}").open("wb") as log:
                process = subprocess.Popen(
                    [binary(), "serve"], env={**self._environment(), **environment},
                    stdin=subprocess.DEVNULL, stdout=log, stderr=log, cwd=self.home,
                )
            self.processes.append(process)
            url = f"http://127.0.0.1:{port}/readyz"
            until("a node is ready or has ended", lambda: is_ready(url) or process.poll() is not None)
            if process.poll() is None:
                return f"127.0.0.1:{port}", process
            if "cannot listen on" not in (said := (self.home / f"node-{port}").read_text()):
                raise AssertionError(f"the node ended:\n{said}")

    def close(self):
        if self.proxy is not None:
            self.proxy.close()
        for process in self.processes:
            end(process)
        if self.database is not None:
            self.database.communicate(timeout=PATIENCE)
        self.holder.cleanup()
