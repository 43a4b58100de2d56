#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Says what keeps a shared library from being loaded by every Android from API level 21 on, also on devices with pages of 16 KB.

    elf_check.py FILE...

Lists every problem of every file, and fails if there is one. Needs pyelftools (Debian: python3-pyelftools).
"""
import pathlib
import re
import sys

from elftools.common.exceptions import ELFError
from elftools.elf.elffile import ELFFile

import bionic_symbols

PAGE_BYTES = 16384
API_LEVEL = 21
SYSTEM_LIBRARIES = ("libc.so", "libm.so", "libdl.so", "liblog.so")
# ELF's machine -> (architecture of bionic_symbols, Android's ABI)
MACHINES = {"EM_AARCH64": ("arm64", "arm64-v8a"), "EM_ARM": ("arm", "armeabi-v7a"),
            "EM_X86_64": ("x86_64", "x86_64"), "EM_386": ("x86", "x86")}
# What pyelftools raises for files that are damaged.
UNREADABLE = (ELFError, OSError, ValueError, KeyError, IndexError, AttributeError, AssertionError, TypeError)
# DT_RELR, DT_ANDROID_REL and DT_ANDROID_RELA, by name where pyelftools knows it.
PACKED_RELOCATIONS = {"DT_RELR", 36, "DT_ANDROID_REL", 0x6000000F, "DT_ANDROID_RELA", 0x60000011}


def problems(path, abi=None):
    """Yields one sentence per reason. `abi`: the one that the library has to be for."""
    try:
        with open(path, "rb") as file:
            elf = ELFFile(file)
            if elf["e_machine"] not in MACHINES or elf["e_type"] != "ET_DYN":
                yield "is no shared library for one of Android's CPUs"
                return
            architecture, its_abi = MACHINES[elf["e_machine"]]
            if abi not in (None, its_abi):
                yield f"is for {its_abi}, not for {abi}"
            yield from segment_problems(elf)
            dynamic = next((part for part in elf.iter_segments() if part["p_type"] == "PT_DYNAMIC"), None)
            if dynamic is None:
                yield "has no dynamic section"
                return
            yield from dynamic_problems(dynamic, pathlib.Path(path).name)
            yield from version_problems(elf)
            yield from symbol_problems(dynamic, architecture)
    except UNREADABLE as why:
        yield f"cannot be read as ELF: {why or type(why).__name__}"


def segment_problems(elf):
    for part in elf.iter_segments():
        if part["p_type"] != "PT_LOAD":
            continue
        if part["p_align"] < PAGE_BYTES or part["p_align"] % PAGE_BYTES:
            yield f"has a segment for pages of {part['p_align']} bytes, want {PAGE_BYTES} (-Wl,-z,max-page-size={PAGE_BYTES})"
        elif (part["p_offset"] - part["p_vaddr"]) % part["p_align"]:
            yield "has a segment whose place in the file does not fit its address"


def dynamic_problems(dynamic, name):
    tags = list(dynamic.iter_tags())
    sonames = [tag.soname for tag in tags if tag.entry.d_tag == "DT_SONAME"]
    if not sonames:
        yield "has no SONAME"
    for soname in sonames:
        if not re.fullmatch(r"lib[\w+-]+\.so", soname):
            yield f"has the SONAME '{soname}', want a plain one as libname.so: only such files are installed from an APK"
        if soname != name:
            yield f"has the SONAME '{soname}', but the file is called '{name}'"
    for tag in tags:
        if tag.entry.d_tag == "DT_NEEDED" and tag.needed not in SYSTEM_LIBRARIES:
            yield f"needs {tag.needed}; only {', '.join(SYSTEM_LIBRARIES)} are on every device"
    kinds = {tag.entry.d_tag for tag in tags}
    if "DT_TEXTREL" in kinds:
        yield "has relocations in code, which Android refuses"
    if "DT_HASH" not in kinds:
        yield "has no DT_HASH, without which API levels 21 and 22 find no symbols (-Wl,--hash-style=both)"
    if kinds & PACKED_RELOCATIONS:
        yield "has packed relocations, which API level 21 does not know"


def version_problems(elf):
    section = elf.get_section_by_name(".gnu.version_r")
    for library, versions in section.iter_versions() if section else ():
        for version in versions:
            if not version.name.startswith("LIBC"):
                yield f"wants {version.name} of {library.name}, which is not a version of Android's libraries"


def symbol_problems(dynamic, architecture):
    needed = {tag.needed.removesuffix(".so") for tag in dynamic.iter_tags("DT_NEEDED")}
    table = {library: names.get(architecture, {}) for library, names in bionic_symbols.read_table().items()}
    for symbol in dynamic.iter_symbols():
        if symbol["st_shndx"] != "SHN_UNDEF" or not symbol.name:
            continue
        weak = symbol["st_info"]["bind"] == "STB_WEAK"  # only used where it is there
        owners = {library: names[symbol.name] for library, names in table.items() if symbol.name in names}
        level = min((level for library, level in owners.items() if library in needed), default=None)
        if not owners:
            yield f"uses {symbol.name}, which Android's C libraries do not have"
        elif level is None and not weak:
            yield f"uses {symbol.name} of {min(owners)}.so, which it does not need (-l{min(owners)[3:]})"
        elif level is not None and level > API_LEVEL and not weak:
            yield f"uses {symbol.name}, which is there since API level {level} only, want {API_LEVEL}"


def main(paths):
    found = [f"{path} {problem}" for path in paths for problem in problems(path)]
    print("\n".join(found) or f"{len(paths)} libraries can be loaded from API level {API_LEVEL} on")
    return 1 if found or not paths else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
