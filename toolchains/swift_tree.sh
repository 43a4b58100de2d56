#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Swift on Debian 12, where there is no package of it: unpacks Debian 13's Swift, with what it links, into a folder that all clones share
# (500 MB to fetch, 2.5 GB on the disk), and runs programs there. Root may do that, and whoever may make user namespaces; needs mmdebstrap.
# Usage: toolchains/swift_tree.sh                  makes the tree, if there is none, and prints its folder
#        toolchains/swift_tree.sh --print          prints the folder; fails, and says why, if nothing can be run in it
#        toolchains/swift_tree.sh run COMMAND...   runs it in the tree, where this clone, the working folder and /tmp are what they are here
# LINNET_SWIFT_TREE names another folder. $DEBIAN_MIRROR: where packages come from.
set -euo pipefail
export LC_ALL=C
source=$(cd "$(dirname "$0")/.." && pwd)
tree="${LINNET_SWIFT_TREE:-${XDG_CACHE_HOME:-${HOME:-/tmp}/.cache}/linnet/swift-trixie}"
packages=(swiftlang libc6-dev libc-bin libgcc-14-dev libstdc++-14-dev bash coreutils dash git)

# in_tree COMMAND...: the mounts end with it.
in_tree() {
  local how=(--mount) temporary=()
  [[ $(id -u) -eq 0 ]] || how=(--user --map-root-user --mount)
  [[ ! -d /tmp ]] || temporary=(/tmp)
  unshare "${how[@]}" bash -euo pipefail -c '
    tree=$1 here=$2
    shift 2
    mounts=()
    while [[ "$1" != -- ]]; do mounts+=("$1"); shift; done
    shift
    for folder in "${mounts[@]}"; do
      mkdir -p "$tree$folder"
      mount --rbind "$folder" "$tree$folder"
    done
    exec chroot "$tree" /usr/bin/env HOME=/tmp LC_ALL=C.UTF-8 PATH=/usr/libexec/swift/bin:/usr/bin:/bin \
      bash -c "cd \"\$0\" && exec \"\$@\"" "$here" "$@"' in_tree "$tree" "$PWD" /proc /dev "${temporary[@]}" "$source" "$PWD" -- "$@"
}

fail() { echo "swift_tree.sh: $1" >&2; exit 1; }

works() {
  [[ -e "$tree/linnet-swift" ]] || fail "Debian 13's Swift is not there (toolchains/setup.sh apple brings it)"
  in_tree true 2>/dev/null || fail "this user may not run programs in another root folder (unshare, chroot)"
}

make_tree() {
  local mirror="${DEBIAN_MIRROR:-}" mode=chrootless folder
  command -v mmdebstrap >/dev/null || fail "mmdebstrap is missing: ./toolchains/setup.sh apple installs it"
  [[ $(id -u) -ne 0 ]] || mode=root  # nothing is run, so any user may do this; for root, mmdebstrap wants another name of it
  if [[ -z "$mirror" ]]; then
    mirror=$(apt-get indextargets --format '$(ORIGIN)|$(COMPONENT)|$(RELEASE)|$(REPO_URI)' 'Created-By: Packages' 2>/dev/null |
      awk -F'|' '$1 == "Debian" && $2 == "main" && $3 !~ /-/ { print $4; exit }')
  fi
  mkdir -p "$(dirname "$tree")"
  work=$(mktemp -d "$tree.XXXXXX")  # not local: the trap needs it
  trap 'rm -rf "$work"' EXIT
  mkdir "$work/tree"
  echo "swift_tree.sh: unpacking Debian 13's Swift" >&2
  mmdebstrap --variant=extract --mode="$mode" --include="$(IFS=,; echo "${packages[*]}")" --format=tar trixie - ${mirror:+"$mirror"} \
    2>"$work/log" | tar -x -C "$work/tree" --no-same-owner --exclude='./dev/*' || { cat "$work/log" >&2; exit 1; }
  for folder in bin lib lib64 sbin; do [[ -e "$work/tree/$folder" ]] || ln -s "usr/$folder" "$work/tree/$folder"; done
  rm -rf "$work/tree/usr/share/doc" "$work/tree/usr/share/man" "$work/tree/usr/share/locale"
  [[ -x "$work/tree/usr/libexec/swift/bin/swift" ]] || fail "there is no Swift in the packages"
  touch "$work/tree/linnet-swift"
  chmod 755 "$work/tree"
  mv -T "$work/tree" "$tree" 2>/dev/null || [[ -e "$tree/linnet-swift" ]] || fail "$tree is something else"  # another clone may have been quicker
}

case "${1:-}" in
  "") [[ -e "$tree/linnet-swift" ]] || make_tree; echo "$tree" ;;
  --print) works; echo "$tree" ;;
  run) shift; works; in_tree "$@" ;;
  *) sed -n 's/^# Usage: /usage: /p' "$0" >&2; exit 1 ;;
esac
