#!/bin/sh
# The tests of the page: files, types, and a real Chromium against the real server.
# Needs Node 20 or later and Chromium; KIEBITZ names the binary of the server, CHROMIUM that of the browser.
set -eu
cd "$(dirname "$0")"
: "${KIEBITZ:=$(cd ../../.. && pwd)/target/release/kiebitz}"
: "${CHROMIUM:=/usr/bin/chromium}"
export KIEBITZ CHROMIUM PLAYWRIGHT_SKIP_BROWSER_DOWNLOAD=1
for tool in node npm "$CHROMIUM" "$KIEBITZ"; do
  command -v "$tool" >/dev/null || { echo "web tests need $tool" >&2; exit 2; }
done
# Again when the list of packages has changed.
[ node_modules/.package-lock.json -nt package-lock.json ] || npm ci --silent
npx tsc --noEmit -p tsconfig.json
exec node --test --test-concurrency=1 --test-timeout=900000 --test-reporter=spec unit/*.test.mjs browser/*.test.mjs
