#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Makes a liblinnet.so for Linux of a slice, for x86-64 that for Macs, for arm64 that for devices: the machine code that the XCFramework has,
bound to glibc. Programs that were linked with the library of a CMake build then run that code.

    slice_as_elf.py CLinnet.xcframework x86_64|arm64 COMPILER FOLDER      writes FOLDER/liblinnet.so.0.1
"""
import pathlib
import re
import subprocess
import sys
import tempfile

import apple_libraries
import link_test
from apple_libraries import parts

HERE = pathlib.Path(__file__).resolve().parent
SLICES = {"x86_64": parts.SLICES[-1], "arm64": parts.SLICES[0]}
POINTER = 8


def tool_output(name, *arguments):
    command = [apple_libraries.tool(name), *map(str, arguments)]
    return subprocess.run(command, capture_output=True, text=True, check=True).stdout


def link_image(architecture, slice_folder, work):
    """A dynamic library of Mach-O with everything that the slice has."""
    part = SLICES[architecture]
    root = link_test.write_stubs(work / "root", part)
    image = work / "image.dylib"
    apple_libraries.run("ld64.lld", "-arch", architecture, "-platform_version", part.macho_platform, part.minimum, part.minimum, "-syslibroot", root,
                        "-dylib", "-install_name", image.name, "-force_load", slice_folder / parts.FRAMEWORK / parts.NAME, "-lSystem", "-o", image)
    return image


def segments(image):
    """Yields (address, bytes in memory, place in the file, bytes in the file)."""
    text = tool_output("llvm-objdump", "--macho", "--private-headers", image)
    for address, size, place, stored in re.findall(
            r"cmd LC_SEGMENT_64\n.*\n +segname \S+\n +vmaddr (\S+)\n +vmsize (\S+)\n +fileoff (\d+)\n +filesize (\d+)\n", text):
        yield int(address, 16), int(size, 16), int(place), int(stored)


def fixups(image):
    """{address of a pointer: what it has to point to, for the assembler}"""
    data = image.read_bytes()
    places = list(segments(image))
    found = {}
    for address in rows(image, "--rebase", r"pointer$"):
        start, _, place, _ = next(each for each in places if each[0] <= address < each[0] + each[1])
        at = place + address - start
        found[address] = f"image + {int.from_bytes(data[at:at + POINTER], 'little')}"
    for option in "--bind", "--lazy-bind":
        text = tool_output("llvm-objdump", "--macho", option, image)
        for address, symbol in re.findall(r"^\S+ +\S+ +0x([0-9A-F]+) .* (\S+)$", text, re.MULTILINE):
            found[int(address, 16)] = symbol
    return found


def rows(image, option, end):
    text = tool_output("llvm-objdump", "--macho", option, image)
    return [int(address, 16) for address in re.findall(rf"^\S+ +\S+ +0x([0-9A-F]+) +{end}", text, re.MULTILINE)]


def assembly(image, replaced):
    """The image as one section, its pointers as relocations, and the functions of the API by their names. `replaced`: symbols that
    darwin_names.c has."""
    lines = ['.section .slice, "awx"', ".balign 4096", "image:"]
    at = 0
    wanted = sorted(fixups(image).items())
    for address, size, place, stored in segments(image):
        if stored == 0 or address < at:
            continue
        lines.append(f".org image + {address}")
        end, done = address + stored, address
        for pointer, target in wanted:
            if not address <= pointer < end:
                continue
            lines.append(f'.incbin "{image}", {place + done - address}, {pointer - done}' if pointer > done else "")
            lines.append(f".quad {bound(target, replaced)}")
            done = pointer + POINTER
        lines += [f'.incbin "{image}", {place + done - address}, {end - done}', f".org image + {address + max(size, stored)}"]
        at = address + size
    for address, name in re.findall(r"^([0-9a-f]+) T _(linnet_\w+)$", tool_output("llvm-nm", image), re.MULTILINE):
        lines += [f".globl {name}", f".type {name}, %function", f"{name} = image + {int(address, 16)}"]
    return "\n".join(lines) + '\n.section .note.GNU-stack, ""\n'


def bound(target, replaced):
    if target.startswith("image"):
        return target
    if target in replaced:
        return f"darwin{target}"
    if target == "dyld_stub_binder" or "basic_string" in target:  # not called: everything is bound, and no text is that long
        return "0"
    return target.removeprefix("_")


def make(xcframework, architecture, compiler, work, library):
    image = link_image(architecture, xcframework / SLICES[architecture].identifier, work)
    names = work / "names.o"
    subprocess.run([*compiler.split(), "-c", "-fPIC", "-O1", "-Wall", "-Wextra", "-Werror", HERE / "darwin_names.c", "-o", names], check=True)
    replaced = set(re.findall(r" [TD] darwin(_\S+)$", tool_output("llvm-nm", names), re.MULTILINE))
    source = work / "slice.s"
    source.write_text(assembly(image, replaced))
    library.parent.mkdir(parents=True, exist_ok=True)
    subprocess.run([*compiler.split(), "-shared", f"-Wl,-soname,{library.name}", "-Wl,-z,defs",
                    "-Wl,--no-warn-rwx-segments", "-o", library, names, source, "-lm"], check=True)


def main(xcframework, architecture, compiler, folder):
    why = apple_libraries.missing("ld64.lld", "llvm-objdump", "llvm-nm")
    if why:
        sys.exit(why)
    with tempfile.TemporaryDirectory() as scratch:
        make(pathlib.Path(xcframework), architecture, compiler, pathlib.Path(scratch), pathlib.Path(folder, "liblinnet.so.0.1"))


if __name__ == "__main__":
    main(*sys.argv[1:])
