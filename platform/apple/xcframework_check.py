#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Says what is wrong with an XCFramework of Linnet's: parts that are missing, slices for another system, version or CPU, functions that
Apple's systems do not have since that version, a privacy manifest that does not fit the code.

    xcframework_check.py FOLDER/CLinnet.xcframework
"""
import pathlib
import plistlib
import sys
import xml.parsers.expat

import darwin_symbols
import macho
import xcframework_parts as parts

# Apple wants apps to declare why they, or libraries in them, use these functions: category of the privacy manifest -> functions.
DECLARED = {
    "FileTimestamp": ("_stat", "_fstat", "_fstatat", "_lstat", "_getattrlist", "_getattrlistbulk", "_fgetattrlist", "_getattrlistat"),
    "SystemBootTime": ("_mach_absolute_time",),
    "DiskSpace": ("_statfs", "_statvfs", "_fstatfs", "_fstatvfs"),
}
REASONS = {
    "FileTimestamp": {"DDA9.1", "C617.1", "3B52.1", "0A2A.1"},
    "SystemBootTime": {"35F9.1", "8FFB.1", "3D61.1"},
    "DiskSpace": {"85F4.1", "E174.1", "7D9E.1", "B728.1"},
}
CATEGORY = "NSPrivacyAccessedAPICategory"
LINKED = ("-lc++",)  # what the objects ask the linker for


def problems(folder, from_xcode=False):
    """Yields one sentence per problem. `from_xcode`: compiled with Apple's own headers, which keep functions away that the oldest system
    lacks, so that names that are in no table are none."""
    folder = pathlib.Path(folder)
    info = yield from read_plist(folder, "Info.plist")
    if info is None:
        return
    listed = info.get("AvailableLibraries")
    yield from differences("Info.plist", {key: value for key, value in info.items() if key != "AvailableLibraries"},
                           {key: value for key, value in parts.info().items() if key != "AvailableLibraries"})
    entries = {entry.get("LibraryIdentifier"): entry for entry in listed or ()}
    for part in parts.SLICES:
        entry = entries.pop(part.identifier, None)
        if entry is None:
            yield f"has an Info.plist without {part.identifier}"
            continue
        yield from differences(f"Info.plist of {part.identifier}", entry, parts.library_entry(part))
        yield from slice_problems(folder / part.identifier / parts.FRAMEWORK, part, from_xcode)
    for identifier in entries:
        yield f"has an Info.plist with {identifier}, which is no slice"
    known = {"Info.plist", *(part.identifier for part in parts.SLICES)}
    for path in sorted(folder.iterdir()):
        if path.name not in known:
            yield f"has {path.name}, which belongs to no slice"


def slice_problems(framework, part, from_xcode):
    def label(texts):
        return (f"has {part.identifier}, which {text}" for text in texts)
    content, resources = framework / part.content, framework / part.resources
    info = yield from label_result(read_plist(resources, "Info.plist"), label)
    if info is not None:
        yield from label(differences("Info.plist", info, parts.framework_info(part)))
    for name in parts.HEADERS:
        wanted = parts.header((parts.ROOT / "runtime/include/linnet" / name).read_text())
        yield from label(text_problems(content / "Headers" / name, wanted))
    yield from label(text_problems(content / "Modules/module.modulemap", parts.module_map()))
    used = set()
    yield from label(library_problems(content / parts.NAME, part, used, from_xcode))
    yield from label(privacy_problems(resources, used))
    if part.content and not (framework / parts.NAME).is_file():
        yield from label(["lacks the links to its current version"])


def label_result(generator, label):
    """Yields what a generator yields, labelled; returns what it returns."""
    while True:
        try:
            text = next(generator)
        except StopIteration as end:
            return end.value
        yield from label([text])


def read_plist(folder, name):
    """Yields a problem; returns the dictionary, or None."""
    try:
        value = plistlib.loads((folder / name).read_bytes())
    except FileNotFoundError:
        yield f"has no {name}"
        return None
    except (OSError, ValueError, plistlib.InvalidFileException, xml.parsers.expat.ExpatError) as why:
        yield f"has a {name} that cannot be read: {why}"
        return None
    if not isinstance(value, dict):
        yield f"has a {name} that is no dictionary"
        return None
    return value


def differences(name, found, wanted):
    for key in sorted(found.keys() | wanted.keys()):
        if found.get(key) != wanted.get(key):
            yield f"has in {name} {key} {found.get(key)!r}, want {wanted.get(key)!r}"


def text_problems(path, wanted):
    if not path.is_file():
        yield f"has no {path.name}"
    elif path.read_text() != wanted:
        yield f"has a {path.name} that differs from the repository's"


def library_problems(path, part, used, from_xcode):
    """Adds the functions of the system that the library uses to `used`."""
    if not path.is_file():
        yield "has no library"
        return
    try:
        archives = macho.archives(path.read_bytes())
    except macho.Damaged as why:
        yield f"has a library that {why}"
        return
    if set(archives) != set(part.architectures):
        yield f"is for {', '.join(sorted(archives))}, want {', '.join(part.architectures)}"
    for architecture, data in archives.items():
        yield from (f"for {architecture} {problem}" for problem in archive_problems(architecture, data, part, used, from_xcode))


def archive_problems(architecture, data, part, used, from_xcode):
    try:
        objects = macho.objects(data)
        if not macho.has_index(data):
            yield "has no index of symbols, which Apple's linker wants (ranlib)"
    except macho.Damaged as why:
        yield f"has a library that {why}"
        return
    minimum = darwin_symbols.version(part.minimum)
    for found in objects:
        if found.architecture != architecture:
            yield f"has {found.name} for {found.architecture}"
        if found.platform != part.macho_platform:
            yield f"has {found.name} for {found.platform or 'a system that it does not name'}, want {part.macho_platform}"
        elif found.minimum != minimum:
            yield f"has {found.name} for version {'.'.join(map(str, found.minimum))} of the system, want {part.minimum}"
    defined = set().union(*(found.defined for found in objects))
    undefined = set().union(*(found.undefined for found in objects)) - defined
    used |= {darwin_symbols.plain(name) for name in undefined}
    yield from darwin_symbols.problems(undefined, part.platform, part.minimum, from_xcode)
    if "_linnet_version" not in defined:
        yield "lacks the C API"
    if darwin_symbols.needs_cxx(undefined) and not any(LINKED in found.linker_options for found in objects):
        yield "needs libc++ and does not say so, so that each app would have to (-lc++)"


def privacy_problems(resources, used):
    """`used`: functions that the library uses; empty where it cannot be read."""
    manifest = yield from read_plist(resources, parts.PRIVACY)
    if manifest is None:
        return
    for key, wanted in (("NSPrivacyTracking", False), ("NSPrivacyTrackingDomains", []), ("NSPrivacyCollectedDataTypes", [])):
        if manifest.get(key) != wanted:
            yield f"has in {parts.PRIVACY} {key} {manifest.get(key)!r}, want {wanted!r}"
    declared = {entry.get("NSPrivacyAccessedAPIType"): set(entry.get("NSPrivacyAccessedAPITypeReasons", ()))
                for entry in manifest.get("NSPrivacyAccessedAPITypes", ())}
    for category, functions in DECLARED.items():
        uses, reasons = sorted(used.intersection(functions)), declared.pop(CATEGORY + category, None)
        if uses and not reasons:
            yield f"uses {', '.join(uses)} without a reason for {category} in {parts.PRIVACY}"
        if used and not uses and reasons is not None:
            yield f"has a reason for {category} in {parts.PRIVACY}, which it does not use"
        for reason in sorted((reasons or set()) - REASONS[category]):
            yield f"has the reason {reason} for {category} in {parts.PRIVACY}, which Apple does not know"
    for category in declared:
        yield f"has {category} in {parts.PRIVACY}, which this check does not know"


def main(path):
    found = list(problems(path))
    print("\n".join(f"{path} {problem}" for problem in found) or f"{path} has all parts of an XCFramework")
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1]))
