"""A power cut while a record is read: of the spool only what was synced is left, and whoever looked is in the ledger all the same."""

import pathlib
import shutil
import subprocess
import tempfile
import unittest

from looks import LATEST_SECONDS, LOOKS, READERS, kill_while_reading, logged, Service

HERE = pathlib.Path(__file__).resolve().parent


class PowerCut(unittest.TestCase):
    """No machine is switched off and no file system is mounted: a library between the service and its libc keeps of each file of
    the spool what was synced of it, and that takes the place of the spool when the service is killed."""

    @classmethod
    def setUpClass(cls):
        cls.built = tempfile.TemporaryDirectory(prefix="recordgate-power-cut-")
        cls.library = pathlib.Path(cls.built.name) / "power_cut.so"
        source = HERE / "power_cut.c"
        subprocess.run(["cc", "-O1", "-shared", "-fPIC", "-o", str(cls.library), str(source), "-ldl"], check=True)

    @classmethod
    def tearDownClass(cls):
        cls.built.cleanup()

    def cut_while_reading(self, is_synced):
        """How many looks were answered, the times of the earlier ones, and how many the ledger tells of after the cut."""
        with Service() as service:
            surviving = service.directory / "surviving"
            surviving.mkdir()
            spool = service.directory / "spool"
            service.environment = {
                "LD_PRELOAD": str(self.library), "WATCHED": str(spool), "SURVIVING": str(surviving), "RECORDGATE_SPOOL": str(spool),
            }
            service.load_world().start()
            answered, killed_at = kill_while_reading(self, service)
            written = sum(file.stat().st_size for file in spool.iterdir())
            shutil.rmtree(spool)
            if is_synced:
                kept = [file for file in surviving.iterdir() if not file.name.startswith(".")]
                self.assertTrue(kept, f"nothing was synced of {written} bytes")
                spool.mkdir(mode=0o700)
                for file in kept:
                    shutil.copy(file, spool / file.name)
            service.environment = {"RECORDGATE_SPOOL": str(spool)}
            before = [at for at in answered if at < killed_at - LATEST_SECONDS]
            return len(answered), len(before), logged(service)

    def test_a_power_cut_loses_no_look_but_those_of_the_last_moment(self):
        answered, before, told = self.cut_while_reading(is_synced=True)
        self.assertGreaterEqual(before, LOOKS, "the load was too short")
        self.assertGreaterEqual(told, before)
        # A look that was under way is told of though nobody was answered; none is told of twice.
        self.assertLessEqual(told, answered + READERS)

    def test_without_what_was_synced_they_would_be_lost(self):
        _, before, told = self.cut_while_reading(is_synced=False)
        self.assertLess(told, before, "the looks that are counted above are not those of the spool")


if __name__ == "__main__":
    unittest.main()
