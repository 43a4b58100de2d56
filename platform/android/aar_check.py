#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Says what is wrong with an AAR of Linnet's and with the POM beside it: parts that are missing, JSON of prefab's, libraries that elf_check.py
refuses.

    aar_check.py FILE.aar
"""
import io
import json
import pathlib
import re
import sys
import tempfile
import xml.etree.ElementTree as xml
import zipfile

import aar_parts
import elf_check

POM = "{http://maven.apache.org/POM/4.0.0}"
ANDROID = "{http://schemas.android.com/apk/res/android}"
CLASS_FILE = b"\xca\xfe\xba\xbe"
NEWEST_CLASS_VERSION = 52  # Java 8
WANTED = ("AndroidManifest.xml", "classes.jar", "R.txt", "proguard.txt", "META-INF/com/android/build/gradle/aar-metadata.properties",
          "prefab/prefab.json", f"{aar_parts.MODULE}/module.json",
          *(f"{aar_parts.MODULE}/include/linnet/{header}" for header in aar_parts.HEADERS))


def problems(path):
    """Yields one sentence per problem."""
    try:
        with zipfile.ZipFile(path) as archive:
            damaged = archive.testzip()
            if damaged:
                yield f"has a damaged part, {damaged}"
                return
            files = {name: archive.read(name) for name in archive.namelist()}
            if len(files) != len(archive.namelist()):
                yield "has two parts of one name"
    except (OSError, zipfile.BadZipFile) as why:
        yield f"cannot be read: {why}"
        return
    for name in WANTED:
        if name not in files:
            yield f"has no {name}"
    yield from manifest_problems(files.get("AndroidManifest.xml", b"<manifest />"))
    yield from classes_problems(files.get("classes.jar"), files.get("proguard.txt", b"").decode(errors="replace"))
    yield from json_problems(files, "prefab/prefab.json", aar_parts.prefab())
    yield from json_problems(files, f"{aar_parts.MODULE}/module.json", aar_parts.module())
    yield from library_problems(files)
    yield from pom_problems(pathlib.Path(path).with_suffix(".pom"))


def manifest_problems(text):
    try:
        root = xml.fromstring(text)
    except xml.ParseError as why:
        yield f"has an AndroidManifest.xml that is no XML: {why}"
        return
    sdk = root.find("uses-sdk")
    if root.tag != "manifest" or root.get("package") != aar_parts.PACKAGE:
        yield f"has an AndroidManifest.xml of another package than {aar_parts.PACKAGE}"
    if sdk is None or sdk.get(f"{ANDROID}minSdkVersion") != str(aar_parts.MIN_SDK):
        yield f"has an AndroidManifest.xml without minSdkVersion {aar_parts.MIN_SDK}"


def classes_problems(jar, rules):
    """Of the classes, also of those that ProGuard's rules name."""
    if jar is None:
        return
    try:
        with zipfile.ZipFile(io.BytesIO(jar)) as archive:
            classes = {name.removesuffix(".class").replace("/", "."): archive.read(name)
                       for name in archive.namelist() if name.endswith(".class")}
    except zipfile.BadZipFile as why:
        yield f"has a classes.jar that cannot be read: {why}"
        return
    for name, code in classes.items():
        if not name.startswith(aar_parts.PACKAGE + "."):
            yield f"has the class {name}, which is not of {aar_parts.PACKAGE}"
        if code[:4] != CLASS_FILE or int.from_bytes(code[6:8], "big") > NEWEST_CLASS_VERSION:
            yield f"has the class {name}, which is not for Java 8"
    kept = set(re.findall(r"^-keep class ([\w.]+)", rules, re.MULTILINE))
    for name in ("Native", "LinnetException", "TensorInfo"):
        name = f"{aar_parts.PACKAGE}.{name}"
        if name not in classes:
            yield f"has no class {name}"
        if name not in kept:
            yield f"has a proguard.txt that does not keep {name}"
    for name in sorted(kept - classes.keys()):
        yield f"has a proguard.txt that keeps {name}, a class that is not there"


def json_problems(files, name, wanted):
    if name not in files:
        return
    try:
        value = json.loads(files[name])
    except ValueError as why:
        yield f"has a {name} that is no JSON: {why}"
        return
    if value != wanted:
        yield f"has a {name} with {value}, want {wanted}"


def library_problems(files):
    abis = sorted(name.split("/")[1] for name in files if re.fullmatch(rf"jni/[^/]+/{aar_parts.LIBRARY}", name))
    if not abis:
        yield "has no library"
    for name in files:
        if name.endswith(".so") and name.rpartition("/")[2] != aar_parts.LIBRARY:
            yield f"has another library, {name}"
    for abi in abis:
        if abi not in aar_parts.ABIS:
            yield f"has a library for {abi}, which is no ABI"
            continue
        library = files[f"jni/{abi}/{aar_parts.LIBRARY}"]
        with tempfile.TemporaryDirectory() as scratch:
            path = pathlib.Path(scratch, aar_parts.LIBRARY)
            path.write_bytes(library)
            yield from (f"has jni/{abi}/{aar_parts.LIBRARY}, which {problem}" for problem in elf_check.problems(path, abi))
        folder = f"{aar_parts.MODULE}/libs/android.{abi}"
        if files.get(f"{folder}/{aar_parts.LIBRARY}") != library:
            yield f"has no {folder}/{aar_parts.LIBRARY}, or one that differs from that in jni/{abi}"
        yield from abi_problems(files, f"{folder}/abi.json", abi)
    for folder in {name.split("/")[4] for name in files if name.startswith(f"{aar_parts.MODULE}/libs/")}:
        if folder.removeprefix("android.") not in abis:
            yield f"has {aar_parts.MODULE}/libs/{folder}, but no library for it in jni"


def abi_problems(files, name, abi):
    if name not in files:
        yield f"has no {name}"
        return
    try:
        ndk = json.loads(files[name])["ndk"]
    except (ValueError, KeyError, TypeError) as why:
        yield f"has a {name} without the version of the NDK: {why}"
        return
    if type(ndk) is not int or ndk <= 0:
        yield f"has a {name} with '{ndk}' as version of the NDK"
    yield from json_problems(files, name, aar_parts.abi(abi, ndk))


def pom_problems(path):
    try:
        root = xml.fromstring(path.read_text())
    except (OSError, ValueError, xml.ParseError) as why:
        yield f"has no POM: {why}"
        return
    wanted = {"modelVersion": "4.0.0", "groupId": aar_parts.GROUP, "artifactId": aar_parts.ARTIFACT, "version": aar_parts.version(), "packaging": "aar"}
    for name, value in wanted.items():
        found = root.findtext(POM + name)
        if found != value:
            yield f"has a POM whose {name} is {found}, want {value}"


def main(path):
    found = list(problems(path))
    print("\n".join(f"{path} {problem}" for problem in found) or f"{path} has all parts of an AAR")
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1]))
