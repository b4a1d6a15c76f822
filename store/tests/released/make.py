"""Makes the fixture of a release: a database as that release writes it, on both engines, and tokens that it issued.

    make.py RECORDGATE postgres://USER@HOST:PORT/EMPTY_DATABASE

RECORDGATE is the released program; `pg_dump` of the same major version as the server must be on the PATH."""

import json
import os
import pathlib
import re
import shutil
import sqlite3
import subprocess
import sys
import time
import urllib.parse
import urllib.request

HERE = pathlib.Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parents[2] / "tests/world"))

PROGRAM, POSTGRES = sys.argv[1:3]
os.environ["RECORDGATE_BINARY"] = PROGRAM

from browser import Browser  # noqa: E402
from service import Service  # noqa: E402

WORLD = HERE / "world"
NORTHMOOR, EASTFIELD = (f"6f1c2a50-0b7e-4d53-9a51-2f6f0e3c1a0{n}" for n in (1, 2))
SLEEP_CLINIC = "a3d0c7de-41f7-4f0c-8d6e-5b1f7c2e9b01"
PASSWORDS = {"amina": "Lantern-on-the-4th-sill", "dr.lindqvist": "Stethoscope-under-2-coats"}
SECRET = "letter-sender-secret-Qp5Zr9LtVb2Hs6Ne"


class Release:
    """A running service of the release, and what it is asked for."""

    def __init__(self, service):
        self.service = service
        self.tokens = {}

    def ask(self, path, body=None, headers=None):
        request = urllib.request.Request(self.service.base + path, data=body, headers=headers or {})
        with urllib.request.urlopen(request, timeout=15) as answer:
            return answer.read().decode()

    def token(self, **fields):
        return json.loads(self.ask("/apiToken.action", urllib.parse.urlencode(fields).encode()))

    def granted(self, username, scope):
        """The tokens of a new session."""
        page = f"/apiAuthorize.action?response_type=code&client_id=diary&scope={scope}&state=x"
        landed = Browser(self.service.base).approve(page, username, PASSWORDS[username])
        code = urllib.parse.parse_qs(urllib.parse.urlparse(landed).query)["code"][0]
        return self.token(grant_type="authorization_code", client_id="diary", code=code)

    def refreshed(self, client, token, scope):
        return self.token(grant_type="refresh_token", client_id=client, refresh_token=token, scope=scope)

    def keep(self, name, tokens):
        for kind in ("access_token", "refresh_token"):
            if kind in tokens:
                self.tokens[f"{name}_{kind.removesuffix('_token')}"] = tokens[kind]

    def fhir(self, token, path, body=None):
        headers = {"Authorization": f"Bearer {token}", "Content-Type": "application/fhir+json"}
        return self.ask(f"/fhir/{path}", body and json.dumps(body).encode(), headers)


def load(service):
    service.cli("apply", str(WORLD / "world.toml"))
    service.cli("import", "--organisation", NORTHMOOR, str(WORLD / "northmoor.ndjson"))
    service.cli("import", "--organisation", EASTFIELD, str(WORLD / "eastfield.ndjson"))
    for file in ("sleep-clinic.ndjson", "sleep-clinic-again.ndjson"):
        service.cli("import", "--organisation", NORTHMOOR, "--team", SLEEP_CLINIC, str(WORLD / file))


def play(release):
    """Sessions of every kind, in every state that one can be in, and what they do."""
    # Two sessions of Amina's: one to use, one whose first refresh token was used.
    amina = release.granted("amina", "PATIENT")
    release.keep("patient", amina)
    rotated = release.granted("amina", "PATIENT")
    release.tokens["rotated_refresh_used"] = rotated["refresh_token"]
    release.keep("rotated", release.refreshed("diary", rotated["refresh_token"], "PATIENT"))
    revoked = release.granted("amina", "PATIENT")
    release.keep("revoked", release.refreshed("diary", revoked["refresh_token"], "PATIENT"))
    try:
        release.refreshed("diary", revoked["refresh_token"], "PATIENT")
    except urllib.error.HTTPError as refused:
        assert refused.code == 400, refused
    doctor = release.granted("dr.lindqvist", "CLINICIAN")
    release.keep("clinician", doctor)
    issued = release.service.cli("grant", "issue", "--client", "clinic-link", "--team", SLEEP_CLINIC, "--by",
                                 "coordinator", "--json")
    issued = json.loads(issued)
    issued = issued[0] if isinstance(issued, list) else issued
    release.keep("site", release.refreshed("clinic-link", issued["refresh_token"], "SITE"))
    system = release.token(grant_type="client_credentials", client_id="letter-sender", client_secret=SECRET)
    release.keep("system", system)

    # What Amina reads and writes, and what she opens.
    me = amina["access_token"]
    release.fhir(me, "Patient/amina-osei")
    release.fhir(me, "Binary/letter-1-content")
    note = {"resourceType": "DocumentReference", "status": "current", "subject": {"reference": "Patient/amina-osei"},
            "description": "My own note", "content": [{"attachment": {"contentType": "text/plain", "data": "SGVsbG8="}}]}
    release.tokens["note_id"] = json.loads(release.fhir(me, "DocumentReference", note))["id"]
    release.fhir(doctor["access_token"], "Patient/amina-osei")


def write_sqlite(data, target):
    """Both files, each whole in itself, and the key ring."""
    for name in ("records.sqlite", "sessions.sqlite"):
        connection = sqlite3.connect(data / name)
        connection.execute("PRAGMA wal_checkpoint(TRUNCATE)")
        connection.execute("VACUUM")
        connection.execute("PRAGMA wal_checkpoint(TRUNCATE)")
        connection.close()
        shutil.copyfile(data / name, target / name)
    shutil.copyfile(data / "keys", target / "keys")


def write_postgres(service, target):
    """The same, moved by the release's own program."""
    subprocess.run([PROGRAM, "move", "--from", service.database, "--to", POSTGRES], check=True, cwd=service.directory,
                   stdin=subprocess.DEVNULL)
    dump = subprocess.run(["pg_dump", "--inserts", "--no-owner", "--no-privileges", POSTGRES], check=True,
                          capture_output=True, text=True).stdout
    told = [line for line in dump.splitlines() if line and not re.match(r"--|\\|SET |SELECT pg_catalog.set_config", line)]
    target.write_text("\n".join(told) + "\n")


def main():
    version = subprocess.run([PROGRAM, "--version"], check=True, capture_output=True, text=True).stdout.split()[-1]
    target = HERE / version
    shutil.rmtree(target, ignore_errors=True)
    (target / "sqlite").mkdir(parents=True)
    with Service() as service:
        load(service)
        release = Release(service.start())
        play(release)
        # Written down within a moment, so that all of it is within one second of this.
        release.tokens["at"] = str(int(time.time() * 1000))
        service.stop()
        write_sqlite(service.directory / "data", target / "sqlite")
        write_postgres(service, target / "postgres.sql")
    lines = [f"{name} = {value}" for name, value in release.tokens.items()]
    (target / "tokens.txt").write_text("\n".join(lines) + "\n")


main()
