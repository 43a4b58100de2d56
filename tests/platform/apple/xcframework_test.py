#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""platform/apple/xcframework.py writes an XCFramework that xcframework_check.py accepts, and xcframework_check.py says of each wrong one what
is wrong."""
import pathlib
import plistlib
import shutil
import subprocess
import sys
import tempfile
import unittest

import apple_libraries
from apple_libraries import SOURCE, parts

import darwin_symbols
import macho
import xcframework
import xcframework_check

IOS, SIMULATOR, MACOS = parts.SLICES


class XcframeworkTest(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.scratch = tempfile.TemporaryDirectory()
        cls.folder = pathlib.Path(cls.scratch.name)
        cls.libraries = apple_libraries.make_all(cls.folder / "libraries")
        cls.right = cls.folder / "right/CLinnet.xcframework"
        assert xcframework.write(cls.libraries, cls.right) == []

    @classmethod
    def tearDownClass(cls):
        cls.scratch.cleanup()

    def setUp(self):
        self.changed = self.folder / "changed/CLinnet.xcframework"
        shutil.rmtree(self.changed.parent, ignore_errors=True)
        shutil.copytree(self.right, self.changed, symlinks=True)

    def framework(self, part):
        return self.changed / part.identifier / parts.FRAMEWORK

    def found(self, **how):
        return list(xcframework_check.problems(self.changed, **how))

    def expect(self, text, **how):
        found = self.found(**how)
        self.assertEqual(len(found), 1, found)
        self.assertIn(text, found[0])

    def change_plist(self, path, **values):
        """None: without the key."""
        info = {**plistlib.loads(path.read_bytes()), **values}
        path.write_bytes(plistlib.dumps({key: value for key, value in info.items() if value is not None}))

    def put_device(self, library):
        """Another library into the slice for devices."""
        (self.framework(IOS) / parts.NAME).write_bytes(pathlib.Path(library).read_bytes())

    def device(self, **changes):
        return apple_libraries.make_library(self.folder / "other/device.a", changes.pop("target", IOS.target("arm64")), **changes)

    def test_right_one(self):
        self.assertEqual(self.found(), [])
        fat = (self.right / MACOS.identifier / parts.FRAMEWORK / parts.NAME).read_bytes()
        self.assertEqual(macho.archives(fat), {name: self.libraries[MACOS.identifier, name].read_bytes() for name in MACOS.architectures})

    def test_the_program(self):
        command = [sys.executable, "-B", str(parts.ROOT / "platform/apple/xcframework.py")]
        arguments = [word for (part, name), path in self.libraries.items() for word in ("--library", f"{part}:{name}={path}")]
        to = self.folder / "program/CLinnet.xcframework"
        for _ in range(2):  # also over one that is there
            done = subprocess.run([*command, *arguments, str(to)], capture_output=True, text=True)
            self.assertEqual(done.returncode, 0, done.stdout + done.stderr)
        self.assertEqual(sorted(path.name for path in to.parent.iterdir()), [to.name])
        wrong = self.device(target=SIMULATOR.target("arm64"))
        nothing = self.folder / "nothing/CLinnet.xcframework"
        done = subprocess.run([*command, *arguments, "--library", f"{IOS.identifier}:arm64={wrong}", str(nothing)], capture_output=True, text=True)
        self.assertEqual(done.returncode, 1)
        self.assertIn("for ios-simulator, want ios", done.stdout)
        self.assertEqual(list(nothing.parent.iterdir()), [])
        done = subprocess.run([*command, *arguments[2:], "--library", f"{IOS.identifier}:i386={wrong}", str(nothing)], capture_output=True, text=True)
        self.assertEqual(done.stdout.splitlines(), ["there is no library for arm64 of ios-arm64", "no slice ios-arm64 has i386"])

    def test_missing_parts(self):
        for part in parts.SLICES:
            for path in ("Headers/linnet.h", "Modules/module.modulemap", parts.NAME, "Info.plist", parts.PRIVACY):
                with self.subTest(f"{part.identifier} {path}"):
                    self.setUp()
                    folder = part.resources if path in ("Info.plist", parts.PRIVACY) else part.content
                    (self.framework(part) / folder / path).unlink()
                    found = self.found()
                    name = "library" if path == parts.NAME else path.rpartition("/")[2]
                    self.assertTrue(any(f"{part.identifier}, which has no {name}" in problem for problem in found), found)
        self.setUp()
        (self.changed / "Info.plist").unlink()
        self.expect("has no Info.plist")
        self.setUp()
        (self.framework(MACOS) / parts.NAME).unlink()
        self.expect("lacks the links to its current version")

    def test_info(self):
        whole = self.changed / "Info.plist"
        entries = parts.info()["AvailableLibraries"]
        self.change_plist(whole, AvailableLibraries=entries[1:])
        self.expect("has an Info.plist without ios-arm64")
        self.change_plist(whole, AvailableLibraries=[*entries, {"LibraryIdentifier": "tvos-arm64"}])
        self.expect("with tvos-arm64, which is no slice")
        for key, value in {"SupportedPlatform": "macos", "SupportedArchitectures": ["arm64", "x86_64"], "SupportedPlatformVariant": "simulator",
                           "LibraryPath": "liblinnet.a", "BinaryPath": "CLinnet"}.items():
            self.change_plist(whole, AvailableLibraries=[{**entries[0], key: value}, *entries[1:]])
            self.expect(f"Info.plist of ios-arm64 {key}")
        self.change_plist(whole, AvailableLibraries=entries, XCFrameworkFormatVersion="2.0")
        self.expect("XCFrameworkFormatVersion '2.0', want '1.0'")
        whole.write_bytes(b"<plist>")
        self.expect("Info.plist that cannot be read")
        self.setUp()
        (self.changed / "watchos-arm64").mkdir()
        self.expect("watchos-arm64, which belongs to no slice")

    def test_framework_info(self):
        for part, key in ((IOS, "MinimumOSVersion"), (SIMULATOR, "MinimumOSVersion"), (MACOS, "LSMinimumSystemVersion")):
            for value in "11.0", None:
                self.setUp()
                self.change_plist(self.framework(part) / part.resources / "Info.plist", **{key: value})
                self.expect(f"{key} {value!r}, want '{part.minimum}'")

    def test_systems_and_versions(self):
        for target, text in ((SIMULATOR.target("arm64"), "for ios-simulator, want ios"), (MACOS.target("arm64"), "for macos, want ios"),
                             ("arm64-apple-ios16.1", "for version 16.1 of the system, want 15.0"),
                             ("arm64-apple-ios14.0", "for version 14.0 of the system, want 15.0")):
            self.put_device(self.device(target=target))
            self.expect(text)

    def test_architectures(self):
        self.put_device(self.libraries[SIMULATOR.identifier, "x86_64"])
        self.assertIn("which is for x86_64, want arm64", self.found()[0])
        simulator = self.framework(SIMULATOR) / parts.NAME
        simulator.write_bytes(self.libraries[SIMULATOR.identifier, "arm64"].read_bytes())
        self.assertIn("which is for arm64, want arm64, x86_64", self.found()[-1])
        both = {name: self.libraries[SIMULATOR.identifier, name].read_bytes() for name in ("arm64", "x86_64")}
        self.setUp()
        simulator.write_bytes(macho.join({"arm64": both["x86_64"], "x86_64": both["arm64"]}))  # the table says something else
        self.assertIn("for arm64 has x86_64.o for x86_64", self.found()[0])

    def test_symbols(self):
        for function, text in (("__errno_location", "uses ___errno_location, which darwin_symbols.txt does not list"),
                               ("aligned_alloc", None),  # there since iOS 13
                               ("os_sync_wait_on_address", "uses _os_sync_wait_on_address, which ios has since 17.4 only, want 15.0"),
                               ("statfs", "uses _statfs without a reason for DiskSpace")):
            self.put_device(self.device(source=f"{SOURCE}\nint {function}(void); int linnet_more(void) {{ return {function}(); }}"))
            if text is None:
                self.assertEqual(self.found(), [])
            else:
                self.assertTrue(any(text in problem for problem in self.found()), self.found())
        verbose = 'void f(void) __asm__("__ZNSt3__122__libcpp_verbose_abortEPKcz"); void linnet_more(void) { f(); }'
        self.put_device(self.device(source=f"{SOURCE}\n{verbose}"))
        self.expect("which ios has since 16.3 only")
        self.expect("which ios has since 16.3 only", from_xcode=True)
        self.put_device(self.device(source=SOURCE + "\nint xcode(void); int linnet_more(void) { return xcode(); }"))
        self.assertEqual(self.found(from_xcode=True), [])
        self.put_device(self.device(source=SOURCE.replace("linnet_version", "linnet_other")))
        self.expect("lacks the C API")

    def test_linker_option(self):
        self.put_device(self.device(options=()))
        self.expect("needs libc++ and does not say so")

    def test_archives(self):
        device = self.libraries[IOS.identifier, "arm64"]
        code = device.with_suffix(".o")
        (self.folder / "other").mkdir(exist_ok=True)
        self.put_device(apple_libraries.make_archive(self.folder / "other/no_index.a", [code], index=False))
        self.expect("has no index of symbols")
        self.put_device(code)
        self.expect("has a library that is no archive")
        elf = apple_libraries.compile_object(self.folder / "other/elf.o", "aarch64-linux-gnu", source="int linnet_version;", options=())
        self.put_device(apple_libraries.make_archive(self.folder / "other/elf.a", [elf], form="bsd"))
        self.expect("which is no 64-bit Mach-O object")
        data = device.read_bytes()
        for length in (0, 7, 60, 100, len(data) // 2, len(data) - 1):
            (self.framework(IOS) / parts.NAME).write_bytes(data[:length])
            self.assertTrue(self.found(), length)
        fat = bytearray((self.framework(MACOS) / parts.NAME).read_bytes())
        fat[16:20] = b"\xff\xff\xff\x00"  # the first library's offset
        (self.framework(MACOS) / MACOS.content / parts.NAME).write_bytes(fat)
        self.assertIn("at a place that does not fit", self.found()[-1])

    def test_headers(self):
        header = self.framework(IOS) / "Headers/linnet.h"
        text = header.read_text()
        self.assertIn("#include <CLinnet/types.h>", text)
        header.write_text(text.replace("#include <CLinnet/types.h>", '#include "linnet/types.h"'))
        self.expect("linnet.h that differs from the repository's")
        self.setUp()
        modules = self.framework(IOS) / "Modules/module.modulemap"
        modules.write_text(modules.read_text().replace('link "c++"', ""))
        self.expect("module.modulemap that differs")

    def test_privacy(self):
        path = self.framework(IOS) / parts.PRIVACY
        stamp = {"NSPrivacyAccessedAPIType": "NSPrivacyAccessedAPICategoryFileTimestamp", "NSPrivacyAccessedAPITypeReasons": ["C617.1"]}
        space = {"NSPrivacyAccessedAPIType": "NSPrivacyAccessedAPICategoryDiskSpace", "NSPrivacyAccessedAPITypeReasons": ["E174.1"]}
        for types, text in (([], "uses _fstat without a reason for FileTimestamp"),
                            ([{**stamp, "NSPrivacyAccessedAPITypeReasons": []}], "uses _fstat without a reason for FileTimestamp"),
                            ([{**stamp, "NSPrivacyAccessedAPITypeReasons": ["C617.2"]}], "has the reason C617.2 for FileTimestamp"),
                            ([stamp, space], "has a reason for DiskSpace in PrivacyInfo.xcprivacy, which it does not use"),
                            ([stamp, {**space, "NSPrivacyAccessedAPIType": "Camera"}], "has Camera in PrivacyInfo.xcprivacy")):
            self.change_plist(path, NSPrivacyAccessedAPITypes=types)
            self.expect(text)
        self.change_plist(path, NSPrivacyAccessedAPITypes=[stamp], NSPrivacyTracking=True)
        self.expect("NSPrivacyTracking True, want False")

    def test_names_with_a_variant(self):
        self.assertEqual(darwin_symbols.plain("_fstat$INODE64"), "_fstat")
        self.assertEqual(list(darwin_symbols.problems(["_fstat$INODE64"], "macos", "12.0")), [])


if __name__ == "__main__":
    if apple_libraries.missing():
        print(f"SKIPPED: {apple_libraries.missing()}")
        sys.exit()
    unittest.main()
