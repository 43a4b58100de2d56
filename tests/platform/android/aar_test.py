#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""platform/android/aar.py writes an AAR and a POM that aar_check.py accepts, and aar_check.py says of each wrong one what is wrong.

    aar_test.py CLASSES_JAR
"""
import hashlib
import io
import json
import pathlib
import subprocess
import sys
import tempfile
import unittest
import xml.etree.ElementTree as xml
import zipfile

import android_libraries

try:
    import aar
    import aar_check
    import aar_parts
except ImportError as why:  # no pyelftools
    WHY_NOT = f"SKIPPED: {why} (toolchains/setup.sh android installs python3-pyelftools)"
else:
    WHY_NOT = android_libraries.missing() and f"SKIPPED: {android_libraries.missing()}"
CLASSES = None
NDK = 27


class AarTest(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.scratch = tempfile.TemporaryDirectory()
        cls.folder = pathlib.Path(cls.scratch.name)
        cls.libraries = {}
        for abi in aar_parts.ABIS:
            cls.system = android_libraries.make_system(cls.folder / "system" / abi, abi)
            cls.libraries[abi] = android_libraries.make_library(cls.folder / abi / "liblinnet.so", abi, cls.system)
        cls.parts = aar.parts(CLASSES, NDK, cls.libraries)

    @classmethod
    def tearDownClass(cls):
        cls.scratch.cleanup()

    def program(self, folder, *libraries):
        command = [sys.executable, "-B", str(aar_parts.ROOT / "platform/android/aar.py"), "--classes", str(CLASSES), "--ndk", str(NDK)]
        for library in libraries:
            command += ["--library", library]
        return subprocess.run([*command, str(folder)], capture_output=True, text=True)

    def check(self, changes=(), pom=None):
        """What aar_check says of an AAR with these parts changed: {name: bytes, or None for without it}."""
        files = {**self.parts, **dict(changes)}
        path = self.folder / "changed.aar"
        aar.write_zip(path, {name: data for name, data in files.items() if data is not None})
        path.with_suffix(".pom").write_text(aar_parts.pom() if pom is None else pom)
        return list(aar_check.problems(path))

    def expect(self, text, changes=(), pom=None):
        found = self.check(changes, pom)
        self.assertEqual(len(found), 1, found)
        self.assertIn(text, found[0])

    def test_maven_folder(self):
        maven = self.folder / "maven"
        libraries = [f"{abi}={path}" for abi, path in self.libraries.items()]
        done = self.program(maven, *libraries)
        self.assertEqual(done.returncode, 0, done.stderr)
        base = maven / "linnet/linnet-android" / aar_parts.version() / f"linnet-android-{aar_parts.version()}"
        files = sorted(path.name for path in base.parent.iterdir())
        self.assertEqual(files, sorted(f"{base.name}.{kind}{sum_}" for kind in ("aar", "pom") for sum_ in ("", ".md5", ".sha1")))
        first = base.with_name(base.name + ".aar").read_bytes()
        self.assertEqual(base.with_name(base.name + ".aar.sha1").read_text(), hashlib.sha1(first).hexdigest())
        self.assertEqual(list(aar_check.problems(base.with_name(base.name + ".aar"))), [])
        self.assertEqual(self.program(maven, *libraries).returncode, 0)
        self.assertEqual(base.with_name(base.name + ".aar").read_bytes(), first)
        root = xml.parse(base.with_name(base.name + ".pom")).getroot()
        self.assertEqual(root.findtext("{http://maven.apache.org/POM/4.0.0}packaging"), "aar")

    def test_wrong_library_is_not_written(self):
        maven = self.folder / "nothing"
        wrong = android_libraries.make_library(self.folder / "wrong/liblinnet.so", "x86_64", self.system, soname="liblinnet.so.1",
                                               needed=(), source="int linnet_one = 1;")
        done = self.program(maven, f"x86_64={wrong}", f"x86={self.libraries['x86_64']}")
        self.assertNotEqual(done.returncode, 0)
        for text in ("jni/x86_64/liblinnet.so, which has the SONAME 'liblinnet.so.1'", "jni/x86/liblinnet.so, which is for x86_64, not for x86"):
            self.assertIn(text, done.stderr)
        self.assertFalse(maven.exists())

    def test_right_one(self):
        self.assertEqual(self.check(), [])
        one = {name: None for name in self.parts if any(abi in name for abi in ("armeabi-v7a", "x86"))}
        self.assertEqual(self.check(one), [])

    def test_missing_parts(self):
        for name in self.parts:
            with self.subTest(name):
                found = self.check({name: None})
                self.assertTrue(any(name in problem or "no library for it" in problem for problem in found), found)
        self.expect("has no library", {name: None for name in self.parts if name.startswith("jni/") or "/libs/" in name})

    def test_manifest(self):
        text = aar_parts.manifest()
        self.expect("without minSdkVersion 21", {"AndroidManifest.xml": text.replace('"21"', '"24"').encode()})
        self.expect("of another package", {"AndroidManifest.xml": text.replace("linnet.android", "linnet").encode()})
        self.expect("is no XML", {"AndroidManifest.xml": text[:-5].encode()})

    def test_prefab(self):
        module = f"{aar_parts.MODULE}/module.json"
        abi_json = f"{aar_parts.MODULE}/libs/android.x86/abi.json"
        self.expect("prefab.json with", {"prefab/prefab.json": json.dumps({**aar_parts.prefab(), "schema_version": 1}).encode()})
        self.expect("prefab.json that is no JSON", {"prefab/prefab.json": b"{"})
        self.expect("module.json with", {module: json.dumps({**aar_parts.module(), "library_name": "linnet"}).encode()})
        for change in {"abi": "x86_64"}, {"api": 24}, {"stl": "c++_shared"}:
            self.expect("abi.json with", {abi_json: json.dumps({**aar_parts.abi("x86", NDK), **change}).encode()})
        self.expect("as version of the NDK", {abi_json: json.dumps(aar_parts.abi("x86", "r27")).encode()})
        self.expect("without the version", {abi_json: b"[]"})

    def test_libraries(self):
        x86 = self.parts["jni/x86/liblinnet.so"]
        self.expect("or one that differs from that in jni/x86", {"jni/x86/liblinnet.so": x86 + b"\0"})
        self.expect("has another library, jni/x86/libc++_shared.so", {"jni/x86/libc++_shared.so": x86})
        self.expect("a library for mips", {"jni/mips/liblinnet.so": x86})

    def test_classes(self):
        def jar(change):
            with zipfile.ZipFile(CLASSES) as archive:
                classes = change({name: archive.read(name) for name in archive.namelist() if name.endswith(".class")})
            out = io.BytesIO()
            aar.write_zip(out, classes)
            return {"classes.jar": out.getvalue()}

        native = "linnet/android/Native.class"
        self.expect("not for Java 8",
                    jar(lambda classes: {**classes, native: classes[native][:7] + b"\x3d" + classes[native][8:]}))
        self.expect("which is not of linnet.android", jar(lambda classes: {**classes, "other/Name.class": classes[native]}))
        found = self.check(jar(lambda classes: {name: code for name, code in classes.items() if name != native}))
        self.assertTrue(any("has no class linnet.android.Native" in problem for problem in found), found)
        self.expect("classes.jar that cannot be read", {"classes.jar": b"PK"})
        rules = self.parts["proguard.txt"]
        self.expect("does not keep linnet.android.TensorInfo", {"proguard.txt": rules[:rules.index(b"-keep class linnet.android.TensorInfo")]})
        self.expect("keeps linnet.android.Gone", {"proguard.txt": rules + b"-keep class linnet.android.Gone\n"})

    def test_pom(self):
        pom = aar_parts.pom()
        self.expect("whose packaging is jar", pom=pom.replace("aar<", "jar<"))
        self.expect("whose version is 9", pom=pom.replace(f"<version>{aar_parts.version()}", "<version>9"))
        self.expect("has no POM", pom="<project>")

    def test_damaged(self):
        path = self.folder / "damaged.aar"
        aar.write_zip(path, self.parts)
        path.with_suffix(".pom").write_text(aar_parts.pom())
        data = bytearray(path.read_bytes())
        path.write_bytes(data[:1000])
        self.assertIn("cannot be read", next(aar_check.problems(path)))
        data[len(data) // 4] ^= 255
        path.write_bytes(data)
        self.assertTrue(list(aar_check.problems(path)))


if __name__ == "__main__":
    if WHY_NOT:
        print(WHY_NOT)
        sys.exit()
    CLASSES = pathlib.Path(sys.argv.pop())
    unittest.main()
