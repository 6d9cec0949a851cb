#!/usr/bin/env bash
# Every allocation of four commands fails in turn (make check takes some of them).
cd "$(dirname "$0")/../.." && exec python3 tests/hostile/memory.py --all
