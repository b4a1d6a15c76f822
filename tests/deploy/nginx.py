"""nginx with deploy's own file, adapted to this machine in addresses, ports and folders alone."""

import http.client
import os
import pathlib
import re
import shutil
import socket
import ssl
import subprocess
import sys
import time

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1] / "world"))

from service import free_ports  # noqa: E402
from world import ROOT  # noqa: E402

DEPLOY = ROOT / "deploy"
PATIENCE = 300


def tool(name, package=None):
    """A program that Debian may keep off the PATH of ordinary accounts."""
    found = shutil.which(name) or shutil.which(name, path="/usr/sbin:/sbin")
    if found is None:
        raise AssertionError(f"{name} is missing; ./test installs it, or: apt-get install {package or name}")
    return found


def until(what, is_so):
    deadline = time.monotonic() + PATIENCE
    while not is_so():
        if time.monotonic() > deadline:
            raise AssertionError(f"it never came true: {what}")
        time.sleep(0.02)


def end(process):
    """SIGTERM, and SIGKILL for one that does not listen."""
    process.terminate()
    try:
        process.wait(timeout=15)
    except subprocess.TimeoutExpired:
        process.kill()
        process.wait()


def asked(wire, method, path, body, headers):
    try:
        wire.request(method, path, body, headers or {})
        answer = wire.getresponse()
        return answer.status, answer.headers, answer.read().decode()
    finally:
        wire.close()


class Nginx:
    """Its folder and certificate at once; its ports and its process when it is started."""

    def __init__(self, folder):
        self.folder, self.process = folder, None
        (folder / "tls").mkdir(parents=True)
        subprocess.run(
            [tool("openssl"), "req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1", "-nodes",
             "-days", "2", "-subj", "/CN=localhost", "-addext", "subjectAltName=DNS:localhost",
             "-keyout", "key.pem", "-out", "fullchain.pem"],
            cwd=folder / "tls", check=True, capture_output=True, timeout=PATIENCE,
        )
        self.trust = ssl.create_default_context(cafile=folder / "tls/fullchain.pem")

    def configuration(self, nodes):
        text = (DEPLOY / "nginx.conf").read_text()
        here = {
            "server node1:8080 ": f"server {nodes[0]} ", "server node2:8080 ": f"server {nodes[1]} ",
            "listen 8080;": f"listen 127.0.0.1:{self.plain};", "listen 8443 ssl;": f"listen 127.0.0.1:{self.tls} ssl;",
            "/etc/nginx/tls/": f"{self.folder}/tls/", "/tmp/": f"{self.folder}/",
            "/dev/stderr": f"{self.folder}/errors", "/dev/stdout": f"{self.folder}/accesses",
        }
        for deployed in here:
            if deployed not in text:
                raise AssertionError(f"deploy/nginx.conf no longer says {deployed!r}")
        # In one go, so that what was put in is not replaced again.
        return re.sub("|".join(map(re.escape, here)), lambda found: here[found[0]], text)

    def start(self, nodes):
        """Starts it in front of two nodes, on other ports if somebody took the first ones in the meantime."""
        while True:
            self.plain, self.tls = free_ports(), free_ports()
            self._start(nodes)
            until("nginx answers or has ended", lambda: self._answers() or self.process.poll() is not None)
            if self.process.poll() is None:
                return self
            said = "".join((self.folder / log).read_text() for log in ("says", "errors"))
            if "Address already in use" not in said:
                raise AssertionError(f"nginx ended:\n{said}")

    def _start(self, nodes):
        file = self.folder / "nginx.conf"
        file.write_text(self.configuration(nodes))
        # As root it would else change to an account that may not read our folder.
        more = "daemon off; user root;" if os.geteuid() == 0 else "daemon off;"
        with (self.folder / "says").open("wb") as log:
            self.process = subprocess.Popen(
                [tool("nginx"), "-e", str(self.folder / "errors"), "-c", str(file), "-g", more],
                stdin=subprocess.DEVNULL, stdout=log, stderr=log,
            )

    def _answers(self):
        try:
            with socket.create_connection(("127.0.0.1", self.tls), timeout=5) as wire:
                self.trust.wrap_socket(wire, server_hostname="localhost").close()
            return True
        except OSError:
            return False

    def ask(self, method, path, body=None, headers=None):
        """Status, headers and body of one request over TLS."""
        return asked(http.client.HTTPSConnection("localhost", self.tls, timeout=PATIENCE, context=self.trust), method, path, body, headers)

    def ask_plainly(self, method, path, body=None, headers=None):
        return asked(http.client.HTTPConnection("127.0.0.1", self.plain, timeout=PATIENCE), method, path, body, headers)

    def close(self):
        if self.process is not None:
            end(self.process)
