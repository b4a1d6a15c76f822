"""Things that go wrong under a running process: files that vanish, rings that are exchanged, disks without room."""

import subprocess
import time
import unittest

from running import Running
from service import Service, binary

LATER_SECONDS = 120


class Faults(Running):
    def await_readiness(self, status):
        """The words of `/readyz` once it answers with this status."""
        deadline = time.monotonic() + LATER_SECONDS
        while time.monotonic() < deadline:
            heard, _, text = self.ask("GET", "/readyz")
            if heard == status:
                return text
        self.fail(f"/readyz did not become {status}")

    def await_line(self, words, times=1):
        """Until the log says so, and so often."""
        deadline = time.monotonic() + LATER_SECONDS
        while time.monotonic() < deadline:
            if self.service.log.read_text().count(words) == times:
                return
        self.fail(f"{words!r} is not {times} times in the log:\n{self.service.tail()}")

    def start_refused(self):
        with self.assertRaises(AssertionError) as refused:
            self.service.start()
        return str(refused.exception)

    def test_a_deleted_data_file_is_named_and_nothing_is_acknowledged_into_it_and_no_start_makes_it_anew(self):
        file = self.service.directory / "data" / "sessions.sqlite"
        file.unlink()
        self.assertIn("sessions.sqlite is gone", self.await_readiness(503))
        self.await_line("the service is not ready")
        with self.assertRaisesRegex(AssertionError, "sessions.sqlite is gone"):
            self.service.cli("client", "disable", "letter-sender")
        for _ in range(50):
            self.ask("GET", "/readyz")
        self.await_line("the service is not ready")
        self.assertNotIn("a request met trouble", self.service.log.read_text())
        self.service.stop()
        self.assertIn("a part of the store is missing", self.start_refused())
        self.assertFalse(file.exists())

    def test_a_second_process_is_kept_out_even_when_the_lock_file_is_deleted(self):
        (self.service.directory / "data" / "lock").unlink()
        other = Service()
        self.addCleanup(other.__exit__)
        other.database = self.service.database
        with self.assertRaisesRegex(AssertionError, "in use by another recordgate process"):
            other.start()

    def test_another_ring_in_the_place_of_its_own_is_refused_while_it_runs_and_at_its_start(self):
        with Service() as other:
            other.load_world()
            foreign = (other.directory / "data" / "keys").read_text()
        keys = self.service.directory / "data" / "keys"
        own = keys.read_text()
        keys.write_text(foreign)
        self.assertIn("key ring", self.await_readiness(503))
        self.await_line("the key ring cannot be read again")
        self.assertEqual(self.client_credentials()[0], 200, "the keys of before are in force")
        self.service.stop()
        self.assertIn("is another store's", self.start_refused())
        keys.write_text(own)
        self.service.start()

    def test_a_changed_character_is_named_by_its_line_and_the_key_is_not_told(self):
        keys = self.service.directory / "data" / "keys"
        self.service.stop()
        lines = keys.read_text().splitlines()
        spoilt = lines[-1][:20] + ("B" if lines[-1][20] == "A" else "A") + lines[-1][21:]
        keys.write_text("\n".join([*lines[:-1], spoilt, ""]))
        said = self.start_refused()
        self.assertIn(f"line {len(lines)} of the key ring", said)
        self.assertNotIn(spoilt[7:40], said)

    def test_a_ring_that_is_opened_to_others_while_it_runs_is_logged_once(self):
        (self.service.directory / "data" / "keys").chmod(0o644)
        self.await_line("the key ring cannot be read again")
        self.assertIn("can be read by others", self.service.log.read_text())
        self.assertEqual(self.ask("GET", "/readyz")[0], 200)

    def test_four_rotations_at_once_leave_four_new_keys(self):
        rotate = [binary(), "keys", "rotate", "--database", self.service.database]
        rotations = [subprocess.Popen(rotate, stdout=subprocess.PIPE, text=True) for _ in range(4)]
        acknowledged = set()
        for rotation in rotations:
            told = rotation.communicate(timeout=60)[0]
            self.assertEqual(rotation.returncode, 0)
            acknowledged |= {line.split()[0] for line in told.splitlines()[1:]}
        lines = (self.service.directory / "data" / "keys").read_text().splitlines()
        self.assertEqual({line.split()[0] for line in lines if not line.startswith("#")}, acknowledged)
        self.assertEqual(len(acknowledged), 5)

    def test_a_lost_ring_is_given_up_by_a_flag_and_by_nothing_else(self):
        token = self.client_credentials()[2]
        self.service.stop()
        (self.service.directory / "data" / "keys").unlink()
        self.assertIn("is missing", self.start_refused())
        with self.assertRaisesRegex(AssertionError, "accept-void-tokens"):
            self.service.cli("keys", "adopt")
        self.service.cli("keys", "adopt", "--accept-void-tokens")
        self.service.start()
        self.assertNotEqual(self.client_credentials()[2], token)


    def test_a_start_without_room_says_that_the_disk_is_full(self):
        self.service.stop()
        limited = ["sh", "-c", 'trap "" XFSZ; ulimit -f 0; exec "$@" 2>&1 | cat', "sh", binary(), "serve"]
        limited += ["--database", self.service.database, "--listen", f"127.0.0.1:{self.service.port}"]
        said = subprocess.run(limited, capture_output=True, text=True, timeout=60).stdout
        self.assertIn("the disk that holds the data is full", said)
        self.service.start()


if __name__ == "__main__":
    unittest.main()
