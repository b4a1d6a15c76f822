"""SIGKILL while a record is read: whoever looked is in the ledger, whatever became of the process."""

import json
import pathlib
import sys
import threading
import time
import unittest

from chain import RETRIES, Chain
from wire import Unanswered, Unsent, Wire

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1] / "world"))

from service import Service  # noqa: E402

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


class Unlogged(unittest.TestCase):
    def kill_while_reading(self, service):
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
        self.assertTrue(enough.wait(timeout=120), "the service answers too slowly to be killed under load")
        service.kill()
        killed_at = time.monotonic()
        for thread in threads:
            thread.join()
        return [at for reader in readers for at in reader.answered_at], killed_at

    def logged(self, service):
        """How many looks the ledger tells of, once a new process has taken up what was left behind."""
        service.start()
        lines = service.cli("ledger", "--event", "accessed", "--json").splitlines()
        return sum(int(json.loads(line)["times"]) for line in lines)

    def test_a_killed_process_forgets_no_look_but_those_of_the_last_moment(self):
        with Service() as service:
            service.load_world().start()
            answered, killed_at = self.kill_while_reading(service)
            before = [at for at in answered if at < killed_at - LATEST_SECONDS]
            self.assertGreaterEqual(len(before), LOOKS, "the load was too short")
            self.assertGreaterEqual(self.logged(service), len(before))

    def test_with_before_answer_a_killed_process_forgets_none(self):
        with Service(environment={"RECORDGATE_LEDGER": "before-answer"}) as service:
            service.load_world().start()
            answered, _ = self.kill_while_reading(service)
            self.assertGreaterEqual(self.logged(service), len(answered))


if __name__ == "__main__":
    unittest.main()
