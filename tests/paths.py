"""Where the tests find what they test. BUILD (make's variable of that name) is another folder than build/, RLX another program than the one in it."""
import os
import pathlib

ROOT = pathlib.Path(__file__).resolve().parents[1]
BUILD = ROOT / os.environ.get("BUILD", "build")
RLX = os.path.abspath(os.environ.get("RLX") or BUILD / "rlx")
