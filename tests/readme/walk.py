"""The README's walk-through as a program: blocks tagged `sh walk`, and what the block after one says to expect.

    ```sh walk            is run by bash with `set -eu`; all of them share one shell
    ```text expect        straight after it: its output, `…` standing for anything
    ```json expect        the same, compared as JSON
"""

import dataclasses
import re
import subprocess

from match import json_matches, text_matches

FENCE = re.compile(r"^```(?P<tag>[^\n`]*)\n(?P<body>.*?)^```[ \t]*$", re.MULTILINE | re.DOTALL)
MATCHERS = {"text expect": text_matches, "json expect": json_matches}
MARK = "walk-block-is-done"


@dataclasses.dataclass
class Step:
    line: int
    script: str
    matches: object = None
    expected: str = ""


def steps(readme):
    """The blocks to run, in order."""
    found, last = [], None
    for fence in FENCE.finditer(readme):
        tag = fence["tag"].strip()
        if tag == "sh walk":
            last = Step(readme.count("\n", 0, fence.start()) + 1, fence["body"])
            found.append(last)
            continue
        if tag in MATCHERS:
            if last is None:
                raise ValueError(f"a `{tag}` block follows no `sh walk` block")
            last.matches, last.expected = MATCHERS[tag], fence["body"]
        last = None
    return found


def script_of(readme, tag):
    """The one block with this tag, without the comments behind its commands."""
    [body] = [fence["body"] for fence in FENCE.finditer(readme) if fence["tag"].strip() == tag]
    return "\n".join(line.split(" #")[0].rstrip() for line in body.splitlines()) + "\n"


class Shell:
    """One bash for all the blocks, so that what a block sets the next one has."""

    def __init__(self, cwd, environment):
        self.errors = cwd / "stderr"
        with self.errors.open("w") as errors:
            self.process = subprocess.Popen(
                ["bash", "--noprofile", "--norc"], cwd=cwd, env=environment, text=True,
                stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=errors,
            )
        self._say("set -eu")

    def _say(self, text):
        self.process.stdin.write(text + "\n")
        self.process.stdin.flush()

    def run(self, script):
        """The block's output; raises where a command of it failed."""
        # In braces, so that no command of the block can read the following ones as its input.
        self._say("{\n" + script + "\n} </dev/null\nprintf '\\n%s\\n' " + MARK)
        heard = []
        for line in self.process.stdout:
            if line.rstrip("\n") == MARK:
                return "".join(heard)[:-1]
            heard.append(line)
        raise AssertionError(f"a command failed:\n{''.join(heard)}{self.errors.read_text()}")

    def close(self):
        self.process.stdin.close()
        try:
            self.process.wait(timeout=5)
        except subprocess.TimeoutExpired:
            self.process.kill()
            self.process.wait()
        self.process.stdout.close()
