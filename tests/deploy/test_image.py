"""What the Dockerfile puts into the image is enough: the program runs in a root that holds nothing else, as nobody."""

import os
import pathlib
import re
import shutil
import subprocess
import tempfile
import unittest

from nginx import end, tool, until
from said import DOCKERFILE
from service import binary, free_ports

NOBODY = "65532"


class Image(unittest.TestCase):
    def setUp(self):
        holder = tempfile.TemporaryDirectory(prefix="recordgate-image-")
        self.addCleanup(holder.cleanup)
        self.root = pathlib.Path(holder.name) / "image"
        for folder in ("var/lib/recordgate", "tmp"):
            (self.root / folder).mkdir(parents=True)
        shutil.copy(binary(), self.root / "recordgate")
        libraries = subprocess.run([tool("ldd"), binary()], capture_output=True, text=True, check=True).stdout
        # As the Dockerfile has it.
        self.assertIn("ldd /image/recordgate | grep -o '/[^ ]*' | xargs cp --parents --dereference", DOCKERFILE)
        subprocess.run(
            ["cp", "--parents", "--dereference", f"--target-directory={self.root}", *re.findall(r"/[^ ]*", libraries)], check=True
        )
        os.chmod(holder.name, 0o755)
        if os.geteuid() == 0:
            os.chown(self.root / "var/lib/recordgate", int(NOBODY), int(NOBODY))
        self.port = free_ports()

    def inside(self, *words):
        """The program in that root: as nobody where we are root, and else in a namespace where we seem to be."""
        confined = [tool("chroot"), f"--userspec={NOBODY}:{NOBODY}"] if os.geteuid() == 0 else [tool("unshare"), "-r", tool("chroot")]
        environment = dict(re.findall(r"(RECORDGATE_\w+)=(\S+)", DOCKERFILE))
        environment["RECORDGATE_LISTEN"] = f"0.0.0.0:{self.port}"
        return {"args": [*confined, str(self.root), "/recordgate", *words], "env": environment, "stdin": subprocess.DEVNULL}

    def test_it_serves_and_its_health_check_says_so(self):
        healthy = lambda: subprocess.run(**self.inside("health"), capture_output=True, timeout=60).returncode == 0
        self.assertFalse(healthy(), "nothing serves yet")
        log = self.root / "log"
        with log.open("wb") as to:
            process = subprocess.Popen(**self.inside("serve"), stdout=to, stderr=to)
        self.addCleanup(end, process)
        until("it is healthy or has ended", lambda: healthy() or process.poll() is not None)
        self.assertIsNone(process.poll(), log.read_text())
        self.assertTrue((self.root / "var/lib/recordgate/keys").is_file())


if __name__ == "__main__":
    unittest.main()
