#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Builds Linnet for Android with the NDK, one library per ABI, and writes AAR and POM into a Maven folder; or tests without the NDK what a
# JVM of this machine and linkers can say.
# Usage: toolchains/android.sh MAVEN_FOLDER     ANDROID_NDK_HOME has to name the NDK, version 26 or newer
#        toolchains/android.sh --test           the Java API, the checkers of libraries and AAR
# LINNET_ANDROID_ABIS names the ABIs (default: arm64-v8a armeabi-v7a x86 x86_64).
set -euo pipefail
maven="${1:-}"
[[ -z "$maven" || "$maven" == -* ]] || maven="$(realpath -m -- "$maven")"
cd "$(dirname "$0")/.."
. toolchains/step.sh
export CCACHE_BASEDIR="$PWD" CCACHE_NOHASHDIR=1
[[ $# -eq 1 && ( "$maven" == --test || "$maven" == /* ) ]] || { sed -n 's/^# Usage: /usage: /p' "$0" >&2; exit 1; }

if [[ "$maven" == --test ]]; then
  step "configure" cmake --preset release
  step "build" cmake --build --preset release --target linnet_android_tests
  # The models' tests need the converter: ctest -L android runs these too.
  step "test" ctest --test-dir build/release -L android -LE models --output-on-failure
  exit
fi

# The first interpreter in PATH may lack pyelftools; Debian's package installs it for /usr/bin/python3.
python=python3
"$python" -c 'import elftools' 2>/dev/null || python=/usr/bin/python3

missing=()
ndk=$(sed -n 's/^Pkg.Revision *= *\([0-9]*\)\..*/\1/p' "${ANDROID_NDK_HOME:-}/source.properties" 2>/dev/null || true)
[[ -n "$ndk" ]] || missing+=("ANDROID_NDK_HOME is '${ANDROID_NDK_HOME:-}', which is no folder of Android's NDK")
[[ -z "$ndk" || "$ndk" -ge 26 ]] || missing+=("ANDROID_NDK_HOME is version $ndk of the NDK, want 26 or newer")
command -v javac >/dev/null || missing+=("there is no javac (toolchains/setup.sh android installs it)")
"$python" -c 'import elftools' 2>/dev/null || missing+=("there is no pyelftools (toolchains/setup.sh android installs it)")
for abi in ${LINNET_ANDROID_ABIS:=arm64-v8a armeabi-v7a x86 x86_64}; do
  [[ " arm64-v8a armeabi-v7a x86 x86_64 " == *" $abi "* ]] || missing+=("LINNET_ANDROID_ABIS names '$abi', which is no ABI")
done
if [[ ${#missing[@]} -gt 0 ]]; then printf 'android.sh: %s\n' "${missing[@]}" >&2; exit 1; fi

libraries=()
# build ABI: the library and the classes, in build/android-ABI.
build() {
  cmake --preset android -B "build/android-$1" -DANDROID_ABI="$1"
  cmake --build "build/android-$1" --target linnet_jni linnet_classes
}
for abi in $LINNET_ANDROID_ABIS; do
  step "$abi" build "$abi"
  libraries+=(--library "$abi=build/android-$abi/android/lib/liblinnet.so")
  classes="build/android-$abi/android/classes.jar"
done
"$python" -B platform/android/aar.py --classes "$classes" --ndk "$ndk" "${libraries[@]}" "$maven"
