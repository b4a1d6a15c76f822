"""What the files of deploy/ say, as data, and what the program itself says of its settings and options."""

import json
import re
import subprocess

import yaml

from nginx import DEPLOY
from service import binary

COMPOSE = yaml.safe_load((DEPLOY / "compose.yaml").read_text())
KUBERNETES = list(yaml.safe_load_all((DEPLOY / "kubernetes.yaml").read_text()))
DOCKERFILE = (DEPLOY / "Dockerfile").read_text()
UNIT = (DEPLOY / "recordgate.service").read_text()
NGINX = (DEPLOY / "nginx.conf").read_text()
FILES = sorted(path for path in DEPLOY.iterdir() if path.is_file())


def of_kind(kind):
    found = [manifest for manifest in KUBERNETES if manifest["kind"] == kind]
    if len(found) != 1:
        raise AssertionError(f"{len(found)} manifests of kind {kind}")
    return found[0]


def pod():
    return of_kind("Deployment")["spec"]["template"]["spec"]


def container():
    return pod()["containers"][0]


def container_environment():
    return {variable["name"]: variable.get("value") for variable in container()["env"]}


def program(*words, **environment):
    """What the program prints when it has no settings but these."""
    done = subprocess.run([binary(), *words], env=environment, stdin=subprocess.DEVNULL, capture_output=True, text=True, timeout=60)
    if done.returncode != 0:
        raise AssertionError(f"recordgate {' '.join(words)} ended with {done.returncode}:\n{done.stderr}")
    return done.stdout


def default(key):
    return json.loads(program("config", "--json"))[key]["value"]


def known_variables():
    """RECORDGATE_CONFIG, and for each setting its key in capitals."""
    keys = json.loads(program("config", "--json"))
    return {"RECORDGATE_CONFIG"} | {"RECORDGATE_" + key.replace(".", "_").upper() for key in keys}


def seconds(text):
    """A duration as compose and nginx write it."""
    return int(re.fullmatch(r"(\d+)s", str(text))[1])
