#!/bin/sh
# Gradescope runs this once, as root, when it builds the image: installs Node.js and Latchscope.
set -eu

autograder=${AUTOGRADER:-/autograder}
node=https://nodejs.org/dist/v22.20.0/node-v22.20.0-linux-x64.tar.gz

if ! command -v node > /dev/null; then
  apt-get update
  apt-get install -y ca-certificates curl
  curl -fsSL -o /tmp/node.tar.gz "$node"
  tar -xzf /tmp/node.tar.gz -C /usr/local --strip-components=1
fi
npm install --offline --no-audit --no-fund --prefix "$autograder/latchscope" "$autograder"/source/latchscope-*.tgz
