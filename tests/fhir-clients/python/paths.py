"""Where the pieces that all suites share are kept."""

import pathlib

WORLD_DIRECTORY = str(pathlib.Path(__file__).resolve().parents[2] / "world")
