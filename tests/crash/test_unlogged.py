"""SIGKILL while a record is read: whoever looked is in the ledger, whatever became of the process."""

import unittest

from looks import LATEST_SECONDS, LOOKS, Service, kill_while_reading, logged


class Unlogged(unittest.TestCase):
    def test_a_killed_process_forgets_no_look_but_those_of_the_last_moment(self):
        with Service() as service:
            service.load_world().start()
            answered, killed_at = kill_while_reading(self, service)
            before = [at for at in answered if at < killed_at - LATEST_SECONDS]
            self.assertGreaterEqual(len(before), LOOKS, "the load was too short")
            self.assertGreaterEqual(logged(service), len(before))

    def test_with_before_answer_a_killed_process_forgets_none(self):
        with Service(environment={"RECORDGATE_LEDGER": "before-answer"}) as service:
            service.load_world().start()
            answered, _ = kill_while_reading(self, service)
            self.assertGreaterEqual(logged(service), len(answered))


if __name__ == "__main__":
    unittest.main()
