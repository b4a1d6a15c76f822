"""What world.toml says, by name, so that no suite repeats a password or a secret."""

import pathlib
import tomllib

ROOT = pathlib.Path(__file__).resolve().parents[2]
WORLD = ROOT / "tests/world/world.toml"
RECORD = ROOT / "tests/world/record.json"

_TOLD = tomllib.loads(WORLD.read_text())
ORGANISATION, OTHER_ORGANISATION = (o["public_id"] for o in _TOLD["organisation"])
TEAM = _TOLD["team"][0]["public_id"]


def login(username):
    """The username and password of a user, ready to be spread over a form."""
    user = next(u for u in _TOLD["user"] if u["username"] == username)
    return {"username": user["username"], "password": user["password"]}


def secret(client_id):
    return next(c for c in _TOLD["client"] if c["client_id"] == client_id)["secret"]


def every_secret():
    """All that must never be written to a log."""
    return [u["password"] for u in _TOLD["user"]] + [c["secret"] for c in _TOLD["client"] if "secret" in c]
