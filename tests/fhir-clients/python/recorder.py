"""Between clients and the service: passes everything on as it is, and keeps the FHIR answers for the validators: for our own, and
in the directory that `RECORDGATE_ANSWERS` names, for the suite `answers`."""

import gzip
import http.client
import http.server
import json
import os
import pathlib
import threading

# Of one connection alone; the other end has its own.
NOT_PASSED_ON = {"connection", "keep-alive", "transfer-encoding", "content-length"}

KEEPING = threading.Lock()


class Recorder:
    def __init__(self):
        self.port = None
        self.answers = []
        passing = type("Passing", (_Passing,), {"recorder": self})
        self.server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), passing)
        self.server.daemon_threads = True
        self.url = f"http://127.0.0.1:{self.server.server_address[1]}"
        threading.Thread(target=self.server.serve_forever, daemon=True).start()

    def keep(self, to, status, resource):
        self.answers.append((f"{to} ({status})", resource))
        directory = os.environ.get("RECORDGATE_ANSWERS")
        if directory:
            line = json.dumps({"to": to, "status": status, "resource": resource})
            with KEEPING, (pathlib.Path(directory) / "python-clients.ndjson").open("a", encoding="utf-8") as file:
                file.write(f"{line}\n")

    def taken(self):
        """The answers since the last time."""
        answers, self.answers = self.answers, []
        return answers

    def close(self):
        self.server.shutdown()
        self.server.server_close()


class _Passing(http.server.BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"

    def pass_on(self):
        body = self.rfile.read(int(self.headers.get("Content-Length", 0)))
        onward = http.client.HTTPConnection("127.0.0.1", self.recorder.port)
        headers = {name: value for name, value in self.headers.items() if name.lower() != "connection"}
        try:
            onward.request(self.command, self.path, body, headers)
        except ConnectionRefusedError:
            self.send_error(502)
            return
        answer = onward.getresponse()
        given = answer.read()
        onward.close()
        if (answer.headers.get("Content-Type") or "").startswith("application/fhir+json") and given:
            packed = answer.headers.get("Content-Encoding") == "gzip"
            text = gzip.decompress(given) if packed else given
            self.recorder.keep(f"{self.command} {self.path}", answer.status, json.loads(text))
        self.send_response_only(answer.status)
        for name, value in answer.headers.items():
            if name.lower() not in NOT_PASSED_ON:
                self.send_header(name, value)
        if answer.status != 204:
            self.send_header("Content-Length", str(len(given)))
        self.end_headers()
        self.wfile.write(given)

    do_GET = do_HEAD = do_POST = do_PUT = do_PATCH = do_DELETE = pass_on

    def log_message(self, *_):
        """The service has a log of its own."""
