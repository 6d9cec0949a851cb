#!/usr/bin/env bash
# Writes the answers of rewriting anew.
cd "$(dirname "$0")/../.." || exit 2
exec python3 tests/rewrite/run.py --update
