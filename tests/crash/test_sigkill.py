"""SIGKILL under load, several times over: nothing acknowledged is lost, nothing revoked comes back to life."""

import collections
import concurrent.futures
import json
import os
import pathlib
import random
import sys
import threading
import unittest

from chain import RETRIES, Chain
from judge import Standing

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1] / "world"))

from service import Service  # noqa: E402

ROUNDS = 6
CHAINS = 36
VICTIMS = 12
# How many refreshes a chain may make in a round. Some rest before the kill, some are cut off by it.
QUOTA = (8, 240)
ROUND_SECONDS = 30
POLL_SECONDS = 0.002


class Load:
    """Counts acknowledged refreshes and says when the moment to kill has come."""

    def __init__(self, kill_at):
        self.kill_at, self.count, self.lock, self.due = kill_at, 0, threading.Lock(), threading.Event()

    def acknowledged(self):
        with self.lock:
            self.count += 1
            if self.count >= self.kill_at:
                self.due.set()


class SigKill(unittest.TestCase):
    def test_killing_the_service_under_load_loses_nothing_acknowledged_and_revives_nothing_revoked(self):
        seed = int(os.environ.get("CRASH_SEED", random.SystemRandom().randrange(1 << 32)))
        print(f"crash: CRASH_SEED={seed}", flush=True)
        self.dice = random.Random(seed)
        self.seen = collections.Counter()
        with Service() as self.service:
            self.service.load_world().start()
            chains, buried = [], []
            for round_number in range(ROUNDS):
                chains += self.new_chains(CHAINS - len(chains))
                acknowledged = self.one_round(chains)
                self.service.start()
                self.examine(chains + buried)
                print(f"crash: round {round_number + 1}: killed after {acknowledged} refreshes; {self.tally()}", flush=True)
                # What was revoked in an earlier round must stay dead through every later crash.
                buried += [c for c in chains if c.revocation == "acknowledged"]
                chains = [c for c in chains if c.alive]
        for stands in (Standing.CURRENT, Standing.UNANSWERED, Standing.RETRIABLE, Standing.REVOKED):
            self.assertGreater(self.seen[stands], 0, f"no session was killed while {stands.value}: the load was too light")

    def new_chains(self, count):
        return self.issued("strict-app", count // 2) + self.issued(RETRIES, count - count // 2)

    def issued(self, client_id, count):
        """Sessions that the operator opens for a client, each begun by its first refresh."""
        if count == 0:
            return []
        told = self.service.cli("grant", "issue", "--json", "--client", client_id, *["--user", "amina"] * count)
        return [Chain(client_id, json.loads(line)).begin(self.service.port) for line in told.splitlines()]

    def one_round(self, chains):
        victims = self.dice.sample(chains, VICTIMS)
        quotas = {chain: self.dice.randint(*QUOTA) for chain in chains}
        # Counted without the victims, whose chains end early.
        load = Load(kill_at=int(sum(q for c, q in quotas.items() if c not in victims) * self.dice.uniform(0.4, 0.9)))
        port = self.service.port
        work = [threading.Thread(target=c.run, args=(port, quota, load.acknowledged)) for c, quota in quotas.items()]
        work.append(threading.Thread(target=self.revoke, args=(victims, load)))
        for thread in work:
            thread.start()
        due = load.due.wait(ROUND_SECONDS)
        self.service.kill()
        for thread in work:
            thread.join()
        self.assertTrue(due, f"only {load.count} refreshes in {ROUND_SECONDS} s")
        return load.count

    def revoke(self, victims, load):
        """Ends one victim after the other by turns of both ways, spread over the round, the last as the kill falls due."""
        for number, chain in enumerate(victims, start=1):
            while load.count < load.kill_at * number / len(victims) and not load.due.wait(POLL_SECONDS):
                pass
            # Two generations back is a replay even to a client with a retry window.
            if number % 2 == 0 and len(chain.used) >= 2:
                chain.replay(self.service)
            else:
                chain.revoke(self.service)

    def examine(self, chains):
        with concurrent.futures.ThreadPoolExecutor(8) as pool:
            self.seen.update(pool.map(lambda c: c.examine(self.service.port), chains))
        faults = [f"{chain.client_id}: {fault}" for chain in chains for fault in chain.faults]
        self.assertEqual(faults, [], self.service.tail())

    def tally(self):
        return ", ".join(f"{count} {stands.name.lower()}" for stands, count in sorted(self.seen.items(), key=lambda s: s[0].name))


if __name__ == "__main__":
    unittest.main()
