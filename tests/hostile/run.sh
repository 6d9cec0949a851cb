#!/usr/bin/env bash
# Inputs that are made to take long, or much memory, or more than they may: what a stranger's repository could hold.
set -u
cd "$(dirname "$0")/../.." || exit 2
exec python3 tests/hostile/shapes.py
