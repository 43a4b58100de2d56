# SPDX-License-Identifier: Apache-2.0
"""Images for microcontrollers: their parts, and how they run in qemu."""
import re
import shutil
import subprocess
import sys

SKIPPED = 77
# Nanoseconds of a tick of the processor's clock, by qemu's machine. With `-icount shift=0` every instruction takes one.
TICK_NS = {"mps2-an500": 1000 / 25, "mps3-an547": 1000 / 32}
# Of the compiler: newlib and what it calls by itself.
LIBRARY = re.compile(r"/lib(c|m|g|gcc|stdc\+\+|supc\+\+|nosys)(_nano)?\.a\(|/crt[in]\.o")


def need(*programs):
    """Ends the test as skipped where one of the programs is missing."""
    missing = [program for program in programs if shutil.which(program) is None]
    if missing:
        print(f"SKIPPED: there is no {' and no '.join(missing)} (toolchains/setup.sh microcontroller)")
        sys.exit(SKIPPED)


def run(image, machine, seconds=120):
    """Returns the lines that the image prints."""
    need("qemu-system-arm")
    command = ["qemu-system-arm", "-M", machine, "-nographic", "-monitor", "none", "-serial", "none", "-icount", "shift=0",
               "-semihosting-config", "enable=on,target=native", "-kernel", image]
    try:
        result = subprocess.run(command, stdin=subprocess.DEVNULL, capture_output=True, text=True, timeout=seconds, check=False)
    except subprocess.TimeoutExpired as late:
        sys.exit(f"{image} did not end within {seconds} s:\n{late.stdout}\n{late.stderr}")
    # Semihosting writes to standard error.
    lines = (result.stderr + result.stdout).splitlines()
    if result.returncode != 0:
        sys.exit(f"{image} ended with {result.returncode}:\n" + "\n".join(lines))
    return lines


def parts(map_file):
    """Bytes by kind, from the linker's map: `code` (with constants) of Linnet and the image, `library` (the compiler's), `plan`, `data`
    and `bss`."""
    text = map_file.read_text()
    text = text[text.index("Linker script and memory map"):]
    sizes = dict.fromkeys(("code", "library", "plan", "data", "bss"), 0)
    # A long name of a section has a line of its own.
    row = re.compile(r"^ \*?(\.?[\w.$]+|COMMON)\*?\s+0x([0-9a-f]+) +0x([0-9a-f]+) +(\S.*)$", re.MULTILINE)
    for section, address, size, file in row.findall(text):
        if int(address, 16) == 0 and not section.startswith(".vectors"):
            continue  # of no memory: what debuggers read
        if re.match(r"\.rodata\.\w+_plan$", section):
            kind = "plan"
        elif section.startswith((".text", ".rodata", ".vectors", ".ARM.ex")):
            kind = "library" if LIBRARY.search(file) else "code"
        elif section.startswith(".data"):
            kind = "data"
        elif section.startswith((".bss", "COMMON")):
            kind = "bss"
        else:
            continue
        sizes[kind] += int(size, 16)
    return sizes
