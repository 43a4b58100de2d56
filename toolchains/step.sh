# SPDX-License-Identifier: Apache-2.0
# For scripts with several parts: they source this file.

# step WHAT COMMAND...: runs it and says how long it took.
step() {
  local what=$1 started=$SECONDS
  shift
  echo "== $what"
  "$@"
  echo "== $what took $((SECONDS - started)) s"
}
