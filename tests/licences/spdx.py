"""SPDX licence expressions: can this one be satisfied from a list of allowed licences?"""

import re

TOKEN = re.compile(r"\s*(?:(\()|(\))|([A-Za-z0-9.+:-]+))")


class BadExpression(ValueError):
    """The text is not an SPDX expression."""


def satisfied(expression, allowed):
    """True where some reading of the expression needs only licences of `allowed`."""
    tokens = list(_tokens(expression))
    verdict, rest = _either(tokens, allowed)
    if rest:
        raise BadExpression(f"{expression!r}: {rest[0]!r} is out of place")
    return verdict


def _tokens(expression):
    # Crates published before SPDX was required write "MIT/Apache-2.0" for "MIT OR Apache-2.0".
    text = expression.replace("/", " OR ").rstrip()
    at = 0
    while at < len(text):
        found = TOKEN.match(text, at)
        if not found:
            raise BadExpression(f"{expression!r}: cannot read {text[at:]!r}")
        yield found.group(0).strip()
        at = found.end()


def _either(tokens, allowed):
    verdict, rest = _both(tokens, allowed)
    while rest and rest[0] == "OR":
        other, rest = _both(rest[1:], allowed)
        verdict = verdict or other
    return verdict, rest


def _both(tokens, allowed):
    verdict, rest = _one(tokens, allowed)
    while rest and rest[0] == "AND":
        other, rest = _one(rest[1:], allowed)
        verdict = verdict and other
    return verdict, rest


def _one(tokens, allowed):
    if not tokens:
        raise BadExpression("a licence is missing at the end")
    first, rest = tokens[0], tokens[1:]
    if first == "(":
        verdict, rest = _either(rest, allowed)
        if not rest or rest[0] != ")":
            raise BadExpression("a bracket is not closed")
        return verdict, rest[1:]
    if first in (")", "OR", "AND", "WITH"):
        raise BadExpression(f"{first!r} where a licence should be")
    if rest[:1] == ["WITH"]:
        if len(rest) < 2:
            raise BadExpression("WITH names no exception")
        # An exception only ever adds permissions, so the plain licence being allowed is enough.
        return first in allowed or f"{first} WITH {rest[1]}" in allowed, rest[2:]
    return first in allowed, rest
