#!/usr/bin/env bash
# Feeds every parser (files, records, SGF, player specs, rule texts, terminal lines) with many inputs made wrong.
# Usage: scripts/fuzz-smoke.sh [INPUTS [SEED]]   default: 1000000 inputs, a new seed each day
set -euo pipefail
cd "$(dirname "$0")/.."
export KIEBITZ_FUZZ="${1:-1000000}" KIEBITZ_FUZZ_SEED="${2:-$(date +%Y%m%d)}"
echo "$KIEBITZ_FUZZ inputs for each loop, seed $KIEBITZ_FUZZ_SEED"
exec cargo test --package kiebitz-play --test mutations -- --nocapture
