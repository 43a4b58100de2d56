#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Writes Linnet's AAR and its POM into a Maven folder, from which Gradle takes it as from any other (`maven { url = uri("FOLDER") }`).

    aar.py --classes JAR --ndk MAJOR --library ABI=FILE [--library ABI=FILE]... MAVEN_FOLDER

What does not pass aar_check.py is not written. The same input gives the same bytes.
"""
import argparse
import hashlib
import json
import pathlib
import sys
import tempfile
import zipfile

import aar_check
import aar_parts

DATE = (1980, 1, 1, 0, 0, 0)


def parts(classes, ndk, libraries):
    """{path in the AAR: bytes}. `libraries`: {ABI: path}."""
    found = {
        "AndroidManifest.xml": aar_parts.manifest(),
        "classes.jar": classes.read_bytes(),
        "R.txt": "",  # no resources, but Gradle's plugin wants the file
        "proguard.txt": (aar_parts.ROOT / "platform/android/proguard.txt").read_bytes(),
        "META-INF/com/android/build/gradle/aar-metadata.properties": aar_parts.metadata(),
        "prefab/prefab.json": _json(aar_parts.prefab()),
        f"{aar_parts.MODULE}/module.json": _json(aar_parts.module()),
    }
    for header in aar_parts.HEADERS:
        found[f"{aar_parts.MODULE}/include/linnet/{header}"] = (aar_parts.ROOT / "runtime/include/linnet" / header).read_bytes()
    for abi, path in libraries.items():
        library = path.read_bytes()
        found[f"jni/{abi}/{aar_parts.LIBRARY}"] = library
        found[f"{aar_parts.MODULE}/libs/android.{abi}/{aar_parts.LIBRARY}"] = library
        found[f"{aar_parts.MODULE}/libs/android.{abi}/abi.json"] = _json(aar_parts.abi(abi, ndk))
    return {name: data.encode() if isinstance(data, str) else data for name, data in found.items()}


def _json(value):
    return json.dumps(value, indent=2) + "\n"


def write_zip(path, files):
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as archive:
        for name in sorted(files):
            entry = zipfile.ZipInfo(name, DATE)
            entry.external_attr = 0o100644 << 16
            archive.writestr(entry, files[name], zipfile.ZIP_DEFLATED)


def publish(folder, files):
    """Writes {path: temporary file or text} with Maven's checksums beside each: under other names first, so that nothing is ever incomplete."""
    for name, data in files.items():
        data = data if isinstance(data, bytes) else data.encode()
        for suffix, content in ("", data), (".sha1", hashlib.sha1(data).hexdigest().encode()), (".md5", hashlib.md5(data).hexdigest().encode()):
            path = folder / f"{name}{suffix}"
            path.parent.mkdir(parents=True, exist_ok=True)
            with tempfile.NamedTemporaryFile(dir=path.parent, delete=False) as file:
                file.write(content)
            temporary = pathlib.Path(file.name)
            temporary.chmod(0o644)
            temporary.rename(path)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folder", type=pathlib.Path)
    parser.add_argument("--classes", type=pathlib.Path, required=True)
    parser.add_argument("--ndk", type=int, required=True, help="major version of the NDK that built the libraries")
    parser.add_argument("--library", action="append", required=True, metavar="ABI=FILE")
    arguments = parser.parse_args()
    libraries = dict(library.split("=", 1) for library in arguments.library)
    base = f"{aar_parts.GROUP}/{aar_parts.ARTIFACT}/{aar_parts.version()}/{aar_parts.ARTIFACT}-{aar_parts.version()}"
    with tempfile.TemporaryDirectory() as scratch:
        aar = pathlib.Path(scratch, pathlib.Path(base).name + ".aar")
        write_zip(aar, parts(arguments.classes, arguments.ndk, {abi: pathlib.Path(path) for abi, path in libraries.items()}))
        aar.with_suffix(".pom").write_text(aar_parts.pom())
        problems = list(aar_check.problems(aar))
        if problems:
            sys.exit("\n".join(["aar.py: nothing was written, because the AAR", *problems]))
        publish(arguments.folder, {f"{base}.aar": aar.read_bytes(), f"{base}.pom": aar_parts.pom()})
    print(f"{arguments.folder / base}.aar: {', '.join(libraries)}")


if __name__ == "__main__":
    main()
