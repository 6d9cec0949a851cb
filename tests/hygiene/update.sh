#!/usr/bin/env bash
# Makes the tables of ARCHITECTURE.md and the picture of the rooms again.
cd "$(dirname "$0")/../.." || exit 2
exec tools/generate_rooms
