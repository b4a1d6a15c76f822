"""Whether a command's output is what the README shows, where `…` stands for anything."""

import json
import re

ANYTHING = "…"


def text_matches(expected, output):
    """Line by line; `…` inside a line is any text of that line, a line of `…` alone is any number of lines."""
    pattern = ""
    for line in expected.strip().splitlines():
        if line.strip() == ANYTHING:
            pattern += r"(?:[^\n]*\n)*"
        else:
            pattern += _within_a_line(line.rstrip()) + r"[ \t]*\n"
    return re.fullmatch(pattern, output.strip() + "\n") is not None


def json_matches(expected, output):
    try:
        return _same(json.loads(expected), json.loads(output))
    except json.JSONDecodeError:
        return False


def _within_a_line(text):
    return r"[^\n]*?".join(re.escape(part) for part in text.split(ANYTHING))


def _same(expected, actual):
    if expected == ANYTHING:
        return True
    if isinstance(expected, str) and isinstance(actual, str):
        return re.fullmatch(_within_a_line(expected), actual) is not None
    if isinstance(expected, dict) and isinstance(actual, dict):
        named = {key: value for key, value in expected.items() if key != ANYTHING}
        complete = ANYTHING in expected or named.keys() == actual.keys()
        return complete and all(key in actual and _same(value, actual[key]) for key, value in named.items())
    if isinstance(expected, list) and isinstance(actual, list):
        return _same_list(expected, actual)
    return type(expected) is type(actual) and expected == actual


def _same_list(expected, actual):
    if not expected:
        return not actual
    if expected[0] == ANYTHING:
        return any(_same_list(expected[1:], actual[skipped:]) for skipped in range(len(actual) + 1))
    return bool(actual) and _same(expected[0], actual[0]) and _same_list(expected[1:], actual[1:])
