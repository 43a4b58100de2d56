#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# checked_java.sh ARGUMENT...: runs java with its checks of native code, and fails too where these found something.
set -euo pipefail
output=$(mktemp)
trap 'rm -f "$output"' EXIT
code=0
"${LINNET_JAVA:-java}" -Xcheck:jni "$@" >"$output" 2>&1 || code=$?
cat "$output" >&2
if grep -qE '^(WARNING|FATAL ERROR) in native method|^WARNING: JNI ' "$output"; then
  echo "java -Xcheck:jni found the mistakes above" >&2
  exit 1
fi
exit "$code"
