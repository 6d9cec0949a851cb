#!/bin/sh
cd "$(dirname "$0")/../.." || exit 2
make --no-print-directory -s "${BUILD:-build}/tests/jit/guards" && "${BUILD:-build}/tests/jit/guards" --update
