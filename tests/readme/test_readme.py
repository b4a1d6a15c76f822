"""The README's walk-through against a real sandbox, and the links of the project's documents."""

import os
import pathlib
import re
import sys
import tempfile
import unittest

from walk import Shell, steps

ROOT = pathlib.Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "tests/world"))

from service import Service, binary  # noqa: E402

README = ROOT / "README.md"
COMMANDS = ("cargo run --release -- sandbox", "./test")
# A reader types these; here the program is built already and the ports are whichever are free.
BINARY_AS_READ = re.compile(r"cargo run (?:-q )?--release (?:-q )?--(?= )|(?:\./)?target/release/recordgate")
LINK = re.compile(r"\[[^\]]*\]\(([^)#\s]+)[^)]*\)|<img[^>]*src=\"([^\"]+)\"")


class Readme(unittest.TestCase):
    def test_the_walk_through_does_what_it_says(self):
        blocks = steps(README.read_text())
        self.assertGreater(len(blocks), 2, "README.md has no blocks tagged `sh walk`")
        with Service(command="sandbox", ports=2) as sandbox, tempfile.TemporaryDirectory() as directory:
            sandbox.start()
            environment = {
                **os.environ,
                "PATH": f"{pathlib.Path(binary()).resolve().parent}{os.pathsep}{os.environ['PATH']}",
                "RECORDGATE_DATABASE": sandbox.database,
            }
            shell = Shell(pathlib.Path(directory), environment)
            try:
                for block in blocks:
                    self.walk(block, shell, sandbox.port)
            finally:
                shell.close()

    def walk(self, block, shell, port):
        place = f"README.md:{block.line}"
        print(f"readme: {place}", flush=True)
        try:
            output = shell.run(here(block.script, port))
        except AssertionError as failed:
            raise AssertionError(f"{place}: {failed}") from None
        print(output, flush=True)
        if block.matches and not block.matches(here(block.expected, port), output):
            self.fail(f"{place}: expected\n{block.expected}\nbut got\n{output}")

    def test_it_names_the_two_commands(self):
        text = README.read_text()
        for command in COMMANDS:
            self.assertIn(command, text)

    def test_every_relative_link_of_the_documents_leads_somewhere(self):
        documents = [*ROOT.glob("*.md"), *ROOT.glob("docs/**/*.md"), *ROOT.glob("deploy/*.md")]
        self.assertIn(README, documents)
        missing = [
            f"{document.relative_to(ROOT)}: {target}"
            for document in documents
            for target in (a or b for a, b in LINK.findall(document.read_text()))
            if "://" not in target and not target.startswith("mailto:") and not (document.parent / target).exists()
        ]
        self.assertEqual(missing, [])


def here(text, port):
    """The README's text with the addresses and the program as they are in this run."""
    text = BINARY_AS_READ.sub("recordgate", text)
    for shown, actual in (("8080", port), ("8081", port + 1)):
        text = re.sub(rf"\b(127\.0\.0\.1|localhost)(:|%3A){shown}\b", rf"\g<1>\g<2>{actual}", text)
    return text


if __name__ == "__main__":
    unittest.main()
