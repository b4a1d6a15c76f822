"""Readers of one record, the service that is killed under them, and the looks that its ledger tells of afterwards."""

import json
import pathlib
import sys
import threading
import time

from chain import RETRIES, Chain
from wire import Unanswered, Unsent, Wire

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1] / "world"))

from service import Service  # noqa: E402

__all__ = ["LATEST_SECONDS", "LOOKS", "READERS", "Service", "kill_while_reading", "logged"]

READERS = 4
# Ten times what a process that is killed may forget.
LATEST_SECONDS = 1.0
# Answers that are older than that when the process is killed, so that a fast machine reads longer and not less.
LOOKS = 1000


class Reader:
    """Reads one person's record again and again, and remembers when each answer came."""

    def __init__(self, port, access):
        self.wire, self.access, self.answered_at = Wire(port), access, []

    def run(self, counted):
        try:
            while self.wire.access(self.access) == 200:
                self.answered_at.append(counted())
        except (Unsent, Unanswered):
            pass
        finally:
            self.wire.close()


def kill_while_reading(case, service):
    """When each look was answered, and when the service was killed."""
    told = service.cli("grant", "issue", "--json", "--client", RETRIES, "--user", "amina")
    chain = Chain(RETRIES, json.loads(told)).begin(service.port)
    enough, answers, lock = threading.Event(), [], threading.Lock()

    def counted():
        with lock:
            at = time.monotonic()
            answers.append(at)
            if len(answers) >= LOOKS and answers[LOOKS - 1] < at - LATEST_SECONDS:
                enough.set()
            return at

    readers = [Reader(service.port, chain.access) for _ in range(READERS)]
    threads = [threading.Thread(target=reader.run, args=(counted,)) for reader in readers]
    for thread in threads:
        thread.start()
    case.assertTrue(enough.wait(timeout=120), "the service answers too slowly to be killed under load")
    service.kill()
    killed_at = time.monotonic()
    for thread in threads:
        thread.join()
    return [at for reader in readers for at in reader.answered_at], killed_at


def logged(service):
    """How many looks the ledger tells of, once a new process has taken up what was left behind."""
    service.start()
    lines = service.cli("ledger", "--event", "accessed", "--json").splitlines()
    return sum(int(json.loads(line)["times"]) for line in lines)
