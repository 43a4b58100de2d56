#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Writes an XCFramework of Linnet's C API: a static framework for each system, with headers, module map and privacy manifest.

    xcframework.py [--from-xcode] --library SLICE:ARCHITECTURE=liblinnet.a ... FOLDER/CLinnet.xcframework

It appears at once and complete, and only if xcframework_check.py has nothing against it. xcframework_parts.py lists the slices.
"""
import argparse
import os
import pathlib
import plistlib
import shutil
import sys
import tempfile

import macho
import xcframework_check
import xcframework_parts as parts

LINKS = (("Versions/Current", "A"), (parts.NAME, f"Versions/Current/{parts.NAME}"), ("Headers", "Versions/Current/Headers"),
         ("Modules", "Versions/Current/Modules"), ("Resources", "Versions/Current/Resources"))


def write_framework(part, libraries, framework):
    """`libraries`: {architecture: bytes of the archive}."""
    content, resources = framework / part.content, framework / part.resources
    for folder in (content / "Headers", content / "Modules", resources):
        folder.mkdir(parents=True, exist_ok=True)
    (content / parts.NAME).write_bytes(macho.join(libraries) if len(libraries) > 1 else next(iter(libraries.values())))
    for name in parts.HEADERS:
        text = (parts.ROOT / "runtime/include/linnet" / name).read_text()
        (content / "Headers" / name).write_text(parts.header(text))
    (content / "Modules/module.modulemap").write_text(parts.module_map())
    (resources / "Info.plist").write_bytes(plistlib.dumps(parts.framework_info(part)))
    (resources / parts.PRIVACY).write_bytes(parts.PRIVACY_FILE.read_bytes())
    if part.content:
        for name, target in LINKS:
            os.symlink(target, framework / name)


def write(libraries, to, from_xcode=False):
    """`libraries`: {(slice's identifier, architecture): file}. Returns the problems; with any, nothing is written."""
    wanted = {(part.identifier, name) for part in parts.SLICES for name in part.architectures}
    found = [f"there is no library for {name} of {identifier}" for identifier, name in sorted(wanted - libraries.keys())]
    found += [f"no slice {identifier} has {name}" for identifier, name in sorted(libraries.keys() - wanted)]
    if found:
        return found
    to.parent.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory(dir=to.parent) as scratch:
        made = pathlib.Path(scratch, to.name)
        for part in parts.SLICES:
            archives = {name: libraries[part.identifier, name].read_bytes() for name in part.architectures}
            write_framework(part, archives, made / part.identifier / parts.FRAMEWORK)
        (made / "Info.plist").write_bytes(plistlib.dumps(parts.info()))
        found = [f"{to.name} {problem}" for problem in xcframework_check.problems(made, from_xcode)]
        if not found:
            shutil.rmtree(to, ignore_errors=True)
            os.rename(made, to)
    return found


def library(text):
    place, equals, path = text.partition("=")
    identifier, colon, architecture = place.partition(":")
    if not equals or not colon:
        raise argparse.ArgumentTypeError(f"'{text}' is not SLICE:ARCHITECTURE=FILE")
    if not pathlib.Path(path).is_file():
        raise argparse.ArgumentTypeError(f"there is no file '{path}'")
    return (identifier, architecture), pathlib.Path(path)


def main(arguments):
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--library", type=library, action="append", default=[], metavar="SLICE:ARCHITECTURE=FILE")
    parser.add_argument("--from-xcode", action="store_true", help="the libraries were compiled with Xcode's own headers")
    parser.add_argument("to", type=pathlib.Path)
    options = parser.parse_args(arguments)
    found = write(dict(options.library), options.to, options.from_xcode)
    print("\n".join(found) or options.to)
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
