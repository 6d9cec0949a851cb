"""The server under test: build/rlx lsp, or $RLX."""
import os
import pathlib

ROOT = pathlib.Path(__file__).resolve().parents[2]
RLX = os.environ.get("RLX") or str(ROOT / "build" / "rlx")
