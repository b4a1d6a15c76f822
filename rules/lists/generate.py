#!/usr/bin/env python3
"""Reduces Django's list of common passwords to the list beside this file. README.md says how it is run."""

import gzip
import sys
import zipfile
from pathlib import Path

HERE = Path(__file__).resolve().parent
COMMONEST = 10_000
# As in rules/src/limits.rs: shorter passwords are refused anyway.
SHORTEST = 10


def main(wheel):
    with zipfile.ZipFile(wheel) as archive:
        text = gzip.decompress(archive.read("django/contrib/auth/common-passwords.txt.gz")).decode()
    commonest = {line.strip().lower() for line in text.splitlines()[:COMMONEST]}
    kept = sorted((word for word in commonest if len(word) >= SHORTEST), key=str.encode)
    (HERE / "commonest-passwords.txt").write_text("".join(f"{word}\n" for word in kept))


if __name__ == "__main__":
    main(*sys.argv[1:])
