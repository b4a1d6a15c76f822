"""The systemd unit, judged by systemd's own tool."""

import pathlib
import re
import subprocess
import tempfile
import unittest

from nginx import tool
from said import UNIT
from service import binary

# systemd's own scale from 0 (nothing is exposed) to 10; a network service cannot be 0.
MOST_EXPOSED = 1.5


class Unit(unittest.TestCase):
    def setUp(self):
        holder = tempfile.TemporaryDirectory(prefix="recordgate-unit-")
        self.addCleanup(holder.cleanup)
        self.unit = pathlib.Path(holder.name) / "recordgate.service"
        # The program as built stands where the unit will find it installed.
        self.unit.write_text(UNIT.replace("/usr/local/bin/recordgate", binary()))

    def analyze(self, *words):
        return subprocess.run(
            [tool("systemd-analyze", "systemd"), *words, str(self.unit)], capture_output=True, text=True, timeout=60
        )

    def test_systemd_finds_nothing_wrong_with_it(self):
        done = self.analyze("verify", "--man=no")
        ours = [line for line in done.stderr.splitlines() if "recordgate" in line]
        self.assertEqual((ours, done.returncode), ([], 0), done.stderr)

    def test_systemd_rates_it_as_hardly_exposed(self):
        done = self.analyze("security", "--offline=true")
        exposure = float(re.search(r"Overall exposure level for recordgate\.service: ([\d.]+)", done.stdout)[1])
        self.assertLessEqual(exposure, MOST_EXPOSED, done.stdout)

    def test_it_names_a_setting_that_systemd_knows_in_every_line(self):
        """An unknown one is only warned about, and would harden nothing."""
        self.unit.write_text(self.unit.read_text().replace("ProtectClock=", "ProtectClocks="))
        self.assertIn("ProtectClocks", self.analyze("verify", "--man=no").stderr, "the warning that the first test relies on")


if __name__ == "__main__":
    unittest.main()
