#!/usr/bin/env bash
# Small wrong changes of the sources, each of which a test should notice. See tools/mutate.py.
cd "$(dirname "$0")/../.." || exit 2
exec python3 tools/mutate.py
