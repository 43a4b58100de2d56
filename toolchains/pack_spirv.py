#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Makes SPIR-V modules small, for runtime/backends/vulkan/spirv_packing.h, which describes the form and unpacks it.
Usage: pack_spirv.py runtime/backends/vulkan/spirv_ops.def FILE.spv...
Numbers the ids of each module in the order in which they are defined, in place, and writes FILE.inc: the packed module as
elements of an array of bytes."""
import collections
import pathlib
import re
import struct
import sys

MAGIC = 0x07230203
VERSION = 0x00010300  # SPIR-V 1.3
GENERATOR = 0x000D000B  # glslc of Debian 12
ENTRY_POINT, SWITCH = 15, 251
ROW = re.compile(r'^LINNET_SPIRV_OP\((\d+), \w+, "([trin]+)", (\d+)\)$', re.MULTILINE)
OTHER_COUNT = 0x80

Row = collections.namedtuple("Row", "code kinds count")


def read_table(path):
    """The rows of spirv_ops.def by the number of the instruction."""
    table = collections.defaultdict(list)
    rows = ROW.findall(path.read_text())
    if not 0 < len(rows) <= OTHER_COUNT:
        raise SystemExit(f"{path} has no rows, or more than a byte can name")
    for code, (number, kinds, count) in enumerate(rows):
        table[int(number)].append(Row(code, kinds, int(count)))
    return table


def instructions(words):
    at = 5
    while at < len(words):
        count = words[at] >> 16
        if count == 0 or at + count > len(words):
            raise SystemExit("is not SPIR-V")
        yield words[at] & 0xFFFF, words[at + 1:at + count]
        at += count


def kinds_of(number, operands, row):
    """What each operand is, as in spirv_ops.def."""
    kinds = [row.kinds[min(i, len(row.kinds) - 1)] for i in range(len(operands))]
    if number == ENTRY_POINT:  # model, function, its name in words that end with a 0, variables
        name_end = next(i for i in range(2, len(operands)) if operands[i] >> 24 == 0)
        kinds = ["n", "i"] + ["n"] * (name_end - 1) + ["i"] * (len(operands) - name_end - 1)
    if number == SWITCH:  # selector, default, and pairs of a number and a block
        kinds = ["i", "i"] + ["n", "i"] * (len(operands) // 2 - 1)
    return kinds


def renumbered(words, table):
    """The same module with ids in the order of their definitions, which then need not be stored."""
    parts = [(number, operands, kinds_of(number, operands, table[number][0])) for number, operands in instructions(words)]
    new = {}
    for number, operands, kinds in parts:
        for operand, kind in zip(operands, kinds):
            if kind == "r":
                new[operand] = len(new) + 1
    out = words[:3] + [len(new) + 1] + words[4:5]
    for number, operands, kinds in parts:
        out.append(len(operands) + 1 << 16 | number)
        out += [value if kind == "n" else new[value] for value, kind in zip(operands, kinds)]
    return out


def varint(value):
    out = bytearray()
    while value >= 0x80:
        out.append(value & 0x7F | 0x80)
        value >>= 7
    out.append(value)
    return out


def packed(words, table):
    checksum = 0x811C9DC5
    for word in words:
        checksum = (checksum ^ word) * 0x01000193 & 0xFFFFFFFF
    out = varint(len(words)) + struct.pack("<I", checksum)
    ids = 0  # defined so far
    for number, operands in instructions(words):
        rows = table[number]
        row = next((row for row in rows if row.count == len(operands)), None)
        if row is not None:
            out.append(row.code)
        else:
            row = rows[0]
            out += bytes([OTHER_COUNT | row.code]) + varint(len(operands))
        defined = ids
        for i, operand in enumerate(operands):
            kind = row.kinds[min(i, len(row.kinds) - 1)]
            if kind == "r":
                ids += 1
            elif kind == "i":  # backwards from the last id; blocks that follow have negative distances
                back = (defined - operand) & 0xFFFFFFFF
                out += varint((back << 1 ^ -(back >> 31)) & 0xFFFFFFFF)
            else:
                out += varint(operand)
    return out


def pack_file(path, table):
    data = path.read_bytes()
    words = list(struct.unpack(f"<{len(data) // 4}I", data))
    if words[:3] + words[4:5] != [MAGIC, VERSION, GENERATOR, 0]:
        raise SystemExit(f"{path}: is not SPIR-V 1.3 made by glslc")
    unknown = sorted({number for number, _ in instructions(words)} - set(table))
    if unknown:
        raise SystemExit(f"{path}: spirv_ops.def has no rows for the instructions {unknown}")
    words = renumbered(words, table)
    path.write_bytes(struct.pack(f"<{len(words)}I", *words))
    out = packed(words, table)
    with path.with_suffix(".inc").open("w") as file:
        for at in range(0, len(out), 24):
            file.write(", ".join(f"0x{byte:02x}" for byte in out[at:at + 24]) + ",\n")
    return len(words) * 4, len(out)


def main():
    table = read_table(pathlib.Path(sys.argv[1]))
    for path in sys.argv[2:]:
        pack_file(pathlib.Path(path), table)
    return 0


if __name__ == "__main__":
    sys.exit(main())
