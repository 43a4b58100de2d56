#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""vcpkg.json, which nobody could run here, is at least well formed, and has the version of linnet.h.

    package_files_test.py REPOSITORY
"""
import json
import pathlib
import re
import sys


def names(dependencies):
    return [entry if isinstance(entry, str) else entry["name"] for entry in dependencies]


def main(root):
    header = (root / "runtime/include/linnet/linnet.h").read_text()
    version = ".".join(re.findall(r"^#define LINNET_VERSION_(?:MAJOR|MINOR|PATCH) (\d+)", header, re.MULTILINE))
    manifest = json.loads((root / "vcpkg.json").read_text())
    wrong = []
    if manifest["version-semver"] != version:
        wrong.append(f"the version is {manifest['version-semver']}, but linnet.h has {version}")
    wrong += [f"default feature '{name}' does not exist" for name in manifest["default-features"] if name not in manifest["features"]]
    for where in [manifest, *manifest["features"].values()]:
        for name in names(where["dependencies"]):
            if not re.fullmatch(r"[a-z0-9]+(-[a-z0-9]+)*", name):
                wrong.append(f"'{name}' cannot be the name of a port")
    for line in wrong:
        print(f"vcpkg.json: {line}")
    return bool(wrong)


if __name__ == "__main__":
    sys.exit(main(pathlib.Path(sys.argv[1])))
