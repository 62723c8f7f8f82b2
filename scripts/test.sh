#!/usr/bin/env bash
# All tests: rules, searches, programs and server by cargo, then the page in a real Chromium. Ends with the sum of both.
# It fetches the page's test tools (crates/table/web-tests/package-lock.json) and asks for what only you can install.
set -euo pipefail
cd "$(dirname "$0")/.."

ask() {
    echo "The tests of the page need $1." >&2
    echo "Debian and Ubuntu: apt-get install nodejs npm chromium; where Node is older than 20: npm install --global node@22" >&2
    echo "Without them, cargo test --workspace tests everything but the page." >&2
    exit 2
}
command -v cargo >/dev/null || { echo "The tests need Rust: install it from https://rustup.rs" >&2; exit 2; }
command -v npm >/dev/null || ask "Node 20 or later with npm"
node -e 'process.exit(parseInt(process.versions.node, 10) < 20 ? 1 : 0)' || ask "Node 20 or later, not $(node --version)"
for name in chromium chromium-browser google-chrome google-chrome-stable; do
    : "${CHROMIUM:=$(command -v "$name" || true)}"
done
[ -n "$CHROMIUM" ] || ask "Chromium; the variable CHROMIUM names it where it is not in the path"
export CHROMIUM

log=$(mktemp)
trap 'rm -f "$log"' EXIT
status=0
cargo test --workspace --no-fail-fast 2>&1 | tee "$log" || status=$?
# The program as cargo has just built it for its own tests, so that nothing is built twice.
target=${CARGO_TARGET_DIR:-target}
KIEBITZ=${KIEBITZ:-$(cd "$target" && pwd)/debug/kiebitz} crates/table/web-tests/run.sh 2>&1 | tee -a "$log" || status=$?
# What failed before it could be counted, such as a build, counts as one.
awk -v status="$status" '
    /^test result:/ { passed += $4; failed += $6; skipped += $8 }
    /^ℹ pass / { passed += $3 }
    /^ℹ (fail|cancelled) / { failed += $3 }
    /^ℹ (skipped|todo) / { skipped += $3 }
    END { if (status && !failed) failed = 1; printf "%d passed, %d failed, %d skipped\n", passed, failed, skipped }' "$log"
exit "$status"
