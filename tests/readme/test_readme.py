"""The README's walk-through against a real sandbox, and the links of the project's documents."""

import os
import pathlib
import re
import sys
import unittest
import unittest.mock

from walk import Shell, script_of, steps

ROOT = pathlib.Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "tests/world"))

from service import Service, binary, plain_environment  # noqa: E402

README = ROOT / "README.md"
SANDBOX = "cargo run --release -- sandbox"
COMMANDS = (SANDBOX, "./test")
# What a reader who has set nothing finds in the working directory: the sandbox's data, and no other store.
SANDBOX_DATA, OTHER_DATA = "recordgate-sandbox", "recordgate-data"
# A reader types these; here the program is built already and the ports are whichever are free.
BINARY_AS_READ = re.compile(r"cargo run (?:-q )?--release (?:-q )?--(?= )|(?:\./)?target/release/recordgate")
LINK = re.compile(r"\[[^\]]*\]\(([^)#\s]+)[^)]*\)|<img[^>]*src=\"([^\"]+)\"")


class Readme(unittest.TestCase):
    def test_the_walk_through_does_what_it_says(self):
        blocks = steps(README.read_text())
        self.assertGreater(len(blocks), 2, "README.md has no blocks tagged `sh walk`")
        with sandbox() as running:
            shell = Shell(running.directory, reader_environment())
            try:
                self.assertEqual(shell.run("env | grep ^RECORDGATE_ || true"), "")
                for block in blocks:
                    self.walk(block, shell, running.port)
            finally:
                shell.close()
            self.assertTrue((running.directory / SANDBOX_DATA).is_dir())
            self.assertFalse((running.directory / OTHER_DATA).exists(), "a command of the README made a store of its own")

    def test_the_reader_has_set_nothing_whatever_whoever_runs_this_has(self):
        with unittest.mock.patch.dict(os.environ, {"RECORDGATE_DATABASE": "sqlite:elsewhere", "HOME": "/home/reader"}):
            environment = reader_environment()
        self.assertEqual([name for name in environment if name.startswith("RECORDGATE_")], [])
        self.assertEqual(environment["HOME"], "/home/reader")

    def test_the_sandbox_is_reset_as_it_says(self):
        commands = script_of(README.read_text(), "sh reset").splitlines()
        self.assertEqual(commands.pop(), SANDBOX, "the last command starts the sandbox again")
        with sandbox() as running:
            shell = Shell(running.directory, reader_environment())
            try:
                listed = f"recordgate user list --database sqlite:{SANDBOX_DATA}"
                freeze = f"recordgate user freeze amina --database sqlite:{SANDBOX_DATA}"
                as_made = shell.run(listed)
                shell.run(freeze)
                self.assertNotEqual(shell.run(listed), as_made)
                running.stop()
                shell.run(here("\n".join(commands), running.port))
                running.start()
                self.assertEqual(shell.run(listed), as_made)
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


def sandbox():
    """A running sandbox that was told nothing but where to listen."""
    return Service(command="sandbox", ports=2, default_place=True).start()


def reader_environment():
    """The environment of somebody who has set nothing, with the built program on the path."""
    path = f"{pathlib.Path(binary()).resolve().parent}{os.pathsep}{os.environ['PATH']}"
    return {**plain_environment(), "PATH": path}


def here(text, port):
    """The README's text with the addresses and the program as they are in this run."""
    text = BINARY_AS_READ.sub("recordgate", text)
    for shown, actual in (("8080", port), ("8081", port + 1)):
        text = re.sub(rf"\b(127\.0\.0\.1|localhost)(:|%3A){shown}\b", rf"\g<1>\g<2>{actual}", text)
    return text


if __name__ == "__main__":
    unittest.main()
