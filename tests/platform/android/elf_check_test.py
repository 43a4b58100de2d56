#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""platform/android/elf_check.py accepts a library of each ABI, and says of each wrong one what is wrong.

    elf_check_test.py [HOST_LIBRARY]     HOST_LIBRARY: one for glibc, which has to be refused
"""
import pathlib
import sys
import tempfile
import unittest

import android_libraries
from android_libraries import make_library

try:
    import elf_check
except ImportError as why:  # no pyelftools
    elf_check = None
    WHY_NOT = f"SKIPPED: {why} (toolchains/setup.sh android installs python3-pyelftools)"
else:
    WHY_NOT = android_libraries.missing() and f"SKIPPED: {android_libraries.missing()}"
HOST_LIBRARY = None


class ElfCheckTest(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.scratch = tempfile.TemporaryDirectory()
        cls.folder = pathlib.Path(cls.scratch.name)
        cls.system = {abi: android_libraries.make_system(cls.folder / "system" / abi, abi) for abi in android_libraries.TARGETS}
        cls.newer = android_libraries.make_system(cls.folder / "newer", "arm64-v8a", level=30)

    @classmethod
    def tearDownClass(cls):
        cls.scratch.cleanup()

    def make(self, *arguments, name="liblinnet.so", abi="arm64-v8a", system=None, **changes):
        return make_library(self.folder / abi / name, abi, system or self.system[abi], *arguments, **changes)

    def expect(self, path, *wanted, abi=None):
        """The library has as many problems as there are texts, each with one of the texts in it."""
        found = list(elf_check.problems(path, abi))
        self.assertEqual(len(found), len(wanted), found)
        for text in wanted:
            self.assertTrue(any(text in problem for problem in found), f"{text}: {found}")

    def test_right_ones(self):
        for abi in android_libraries.TARGETS:
            with self.subTest(abi):
                self.expect(self.make(abi=abi), abi=abi)
        self.expect(self.make("-Wl,-z,max-page-size=65536", pages="-O1"))

    def test_pages_of_4_kb(self):
        for abi in android_libraries.TARGETS:
            found = list(elf_check.problems(self.make(abi=abi, pages="-Wl,-z,max-page-size=4096")))
            self.assertTrue(found and all("segment for pages of 4096 bytes, want 16384" in problem for problem in found), found)

    def test_names(self):
        self.expect(self.make(soname=None), "has no SONAME")
        self.expect(self.make(soname="liblinnet.so.0.1"), "'liblinnet.so.0.1', want a plain one", "the file is called 'liblinnet.so'")
        self.expect(self.make(name="libother.so"), "has the SONAME 'liblinnet.so', but the file is called 'libother.so'")

    def test_needs(self):
        other = self.make(name="libc++_shared.so", soname="libc++_shared.so", source="void other(void) {}")
        self.expect(self.make(str(other), "-Wl,--no-as-needed"), "needs libc++_shared.so; only")
        self.expect(self.make("-Wl,--unresolved-symbols=ignore-all", needed=("c",)), "uses sinf of libm.so, which it does not need (-lm)")

    def test_symbols(self):
        young = "void* aligned_alloc(unsigned long, unsigned long); void* linnet_make(void) { return aligned_alloc(64, 64); }"
        self.expect(self.make(system=self.newer, source=young), "uses aligned_alloc, which is there since API level 28 only, want 21")
        perhaps = "__attribute__((weak)) " + young
        self.expect(self.make(system=self.newer, source=perhaps))
        glibc = "int* __errno_location(void); int linnet_error(void) { return *__errno_location(); }"
        self.expect(self.make("-Wl,--unresolved-symbols=ignore-all", source=glibc), "uses __errno_location, which Android's C libraries do not have")
        self.expect(self.make("-Wl,--unresolved-symbols=ignore-all", source="__attribute__((weak)) " + glibc), "uses __errno_location")
        # Only 32-bit ARM has this one.
        only_arm = "void __aeabi_memcpy(char*, char*); void linnet_copy(char* a, char* b) { __aeabi_memcpy(a, b); }"
        self.expect(self.make(abi="armeabi-v7a", source=only_arm))
        self.expect(self.make("-Wl,--unresolved-symbols=ignore-all", source=only_arm), "uses __aeabi_memcpy")

    def test_what_old_linkers_lack(self):
        self.expect(self.make("-Wl,--hash-style=gnu"), "has no DT_HASH")
        tables = SOURCE_WITH_POINTERS
        self.expect(self.make("-Wl,--pack-dyn-relocs=android", source=tables), "packed relocations")
        self.expect(self.make("-Wl,--pack-dyn-relocs=relr", source=tables), "packed relocations")

    def test_relocations_in_code(self):
        code = "int value = 1; asm(\".text\\n.long value\\n\");"
        self.expect(self.make("-Wl,-z,notext", abi="x86", source=code), "relocations in code")

    def test_other_files(self):
        path = self.make()
        self.expect(path, "is for arm64-v8a, not for x86_64", abi="x86_64")
        bytes_ = path.read_bytes()
        for length in range(0, len(bytes_), len(bytes_) // 50):
            path.write_bytes(bytes_[:length])
            self.assertTrue(length > 4000 or list(elf_check.problems(path)), f"the first {length} bytes")
        path.write_bytes(b"#!/bin/sh\n")
        self.expect(path, "cannot be read as ELF")
        self.expect(self.folder / "none.so", "cannot be read as ELF")

    def test_library_for_glibc(self):
        if not HOST_LIBRARY:
            self.skipTest("no library of this machine was given")
        found = "\n".join(elf_check.problems(HOST_LIBRARY))
        for text in ("needs libc.so.6", "wants GLIBC_", "uses __errno_location"):
            self.assertIn(text, found)


class BionicMapTest(unittest.TestCase):
    MAP = """
LIBC {
  global:
    old;
    young; # introduced=23
    only_arm; # arm
    by_architecture; # introduced-arm=21 introduced-arm64=23 introduced-x86=21 introduced-x86_64=23
    for_modules; # apex
  local:
    *;
};
LIBC_N { # introduced-arm64=24 introduced-x86=24 introduced-x86_64=24
  global:
    renamed; # arm versioned=24
    of_n; # introduced=24
} LIBC;
LIBC_P { # introduced=28
  global:
    of_p;
} LIBC_N;
LIBC_36 { # introduced=36
  global:
    of_36;
} LIBC_P;
LIBC_PRIVATE {
  global:
    hidden;
} LIBC_36;
"""

    def test_levels(self):
        def everywhere(level):
            return dict.fromkeys(android_libraries.bionic_symbols.ARCHITECTURES, level)
        found = dict(android_libraries.bionic_symbols.read_map(self.MAP))
        self.assertEqual(found, {
            "old": everywhere(21), "young": everywhere(23), "only_arm": {"arm": 21},
            "by_architecture": {"arm": 21, "arm64": 23, "x86": 21, "x86_64": 23},
            "renamed": {"arm": 21}, "of_n": everywhere(24), "of_p": everywhere(28), "of_36": everywhere(36)})

    def test_table(self):
        table = android_libraries.bionic_symbols.read_table()
        for library, name, level in ("libc", "malloc", 21), ("libc", "aligned_alloc", 28), ("libm", "sinf", 21), ("libdl", "dlopen", 21):
            for architecture in android_libraries.bionic_symbols.ARCHITECTURES:
                self.assertEqual(table[library][architecture][name], level, name)


SOURCE_WITH_POINTERS = "static int value; int* linnet_table[64] = {" + "&value, " * 64 + "};"

if __name__ == "__main__":
    if WHY_NOT:
        print(WHY_NOT)
        sys.exit()
    HOST_LIBRARY = sys.argv.pop() if len(sys.argv) > 1 and not sys.argv[-1].startswith("-") else None
    unittest.main()
