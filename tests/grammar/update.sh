#!/usr/bin/env bash
# Writes the trees of the grammar's corpus anew.
cd "$(dirname "$0")/../.." && python3 tests/grammar/corpus.py --update
