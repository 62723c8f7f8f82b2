#!/usr/bin/env bash
# Feeds every parser (files, records, SGF, player specs, rule texts, terminal lines), the JSON engine and GTP with many inputs
# made wrong.
# Usage: scripts/fuzz-smoke.sh [INPUTS [SEED]]   default: 1000000 inputs, a new seed each day
# An input of the parsers is a text, which takes microseconds; one of the engine is a query, one of GTP a whole dialogue, and
# they get a tenth and a hundredth of the inputs.
set -euo pipefail
cd "$(dirname "$0")/.."
inputs="${1:-1000000}"
export KIEBITZ_FUZZ_SEED="${2:-$(date +%Y%m%d)}"

# feed DIVISOR TEST [FILTER]: runs the loops of a test file whose names contain FILTER.
feed() {
    export KIEBITZ_FUZZ=$((inputs / $1 > 100 ? inputs / $1 : 100))
    echo "$2: $KIEBITZ_FUZZ inputs for each loop, seed $KIEBITZ_FUZZ_SEED"
    cargo test --package kiebitz-play --test "$2" -- --nocapture "${@:3}"
}

feed 1 mutations
feed 10 engine lines_made_wrong
feed 100 gtp_mutations
