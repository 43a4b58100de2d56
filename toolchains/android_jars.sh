#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Brings what the tests of the Java API need of Maven beside Debian's packages: Kotlin's compiler, ProGuard, and Android's own classes of
# API level 21. All clones share one folder, so this costs 120 MB of download once; the environment variable LINNET_ANDROID_JARS names another.
# Where they cannot be had, this says so and does not fail: the tests that need them are skipped.
# Usage: toolchains/android_jars.sh [--print]   (--print: only prints the folder)
set -euo pipefail

folder="${LINNET_ANDROID_JARS:-${XDG_CACHE_HOME:-${HOME:-/tmp}/.cache}/linnet/android_jars}"
if [[ "${1:-}" == --print ]]; then
  echo "$folder"
  exit 0
fi
[[ ! -f "$folder/complete" ]] || exit 0

give_up() {
  echo "android_jars: $1; tests with Kotlin, ProGuard and Android's classes will be skipped" >&2
  exit 0
}
command -v mvn >/dev/null || give_up "there is no mvn"
mkdir -p "$(dirname "$folder")"
# Beside the folder, so that it appears at once and complete.
work=$(mktemp -d "$folder.XXXXXX")
trap 'rm -rf "$work"' EXIT

# android-all has Android's classes, here of 5.0.2, which is API level 21.
dependency() { echo "<dependency><groupId>$1</groupId><artifactId>$2</artifactId><version>$3</version></dependency>"; }
cat >"$work/pom.xml" <<POM
<project xmlns="http://maven.apache.org/POM/4.0.0">
  <modelVersion>4.0.0</modelVersion>
  <groupId>linnet</groupId>
  <artifactId>jars</artifactId>
  <version>1</version>
  <dependencies>
    $(dependency org.jetbrains.kotlin kotlin-compiler-embeddable 1.9.24)
    $(dependency com.guardsquare proguard-base 7.4.2)
    $(dependency org.robolectric android-all 5.0.2_r3-robolectric-r0)
  </dependencies>
</project>
POM
echo "android_jars: fetching Kotlin's compiler, ProGuard and Android's classes" >&2
timeout 300 mvn --quiet --batch-mode --file "$work/pom.xml" dependency:copy-dependencies -DoutputDirectory="$work/jars" \
  -Dmdep.stripVersion=true >&2 || give_up "Maven's packages cannot be fetched within 5 minutes"
touch "$work/jars/complete"
rm -rf "$folder"  # incomplete
mv -T "$work/jars" "$folder" 2>/dev/null || [[ -f "$folder/complete" ]]  # another clone may have been quicker
echo "android_jars: they are in $folder" >&2
