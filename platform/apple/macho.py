# SPDX-License-Identifier: Apache-2.0
"""Reads static libraries of Apple's systems: archives of Mach-O objects, also several in one file, one per architecture (fat files). Writes
such fat files."""
import dataclasses
import struct

FAT_MAGIC = 0xCAFEBABE
MACHO_MAGIC = 0xFEEDFACF  # 64-bit, little-endian
ARCHIVE_MAGIC = b"!<arch>\n"
OBJECT_FILE = 1  # filetype MH_OBJECT
LC_SYMTAB, LC_LINKER_OPTION, LC_BUILD_VERSION = 0x2, 0x2D, 0x32
N_STAB, N_TYPE, N_UNDF, N_EXT = 0xE0, 0x0E, 0x00, 0x01
# name of the architecture -> (cputype, cpusubtype)
CPUS = {"arm64": (0x0100000C, 0), "x86_64": (0x01000007, 3)}
# LC_BUILD_VERSION's numbers
PLATFORMS = {1: "macos", 2: "ios", 3: "tvos", 4: "watchos", 6: "ios-maccatalyst", 7: "ios-simulator"}
ALIGNMENT = 3  # of an archive in a fat file, as a power of two: what 64-bit objects want


class Damaged(ValueError):
    """The bytes are no library that this module reads; the text says why."""


@dataclasses.dataclass
class Object:
    name: str
    architecture: str
    platform: str = ""      # "" where the object does not say
    minimum: tuple = ()     # version of the system, as (15, 0)
    undefined: frozenset = frozenset()
    defined: frozenset = frozenset()  # that other objects see
    linker_options: tuple = ()


def architecture_of(cpu, subtype):
    for name, (wanted, wanted_subtype) in CPUS.items():
        if cpu == wanted and subtype & 0xFFFFFF == wanted_subtype:
            return name
    return f"cpu {cpu:#x}.{subtype & 0xFFFFFF}"


def archives(data):
    """Returns {architecture: bytes of its archive}. A file of one architecture has no table: its objects say which."""
    if len(data) >= 8 and struct.unpack_from(">I", data)[0] == FAT_MAGIC:
        return dict(fat_archives(data))
    found = {item.architecture for item in objects(data)}
    if len(found) != 1:
        raise Damaged(f"has objects for {', '.join(sorted(found)) or 'nothing'} in one archive")
    return {found.pop(): data}


def fat_archives(data):
    count = struct.unpack_from(">I", data, 4)[0]
    if 8 + 20 * count > len(data):
        raise Damaged("has a table of architectures that does not fit")
    seen = set()
    for i in range(count):
        cpu, subtype, offset, size, align = struct.unpack_from(">5I", data, 8 + 20 * i)
        name = architecture_of(cpu, subtype)
        if offset + size > len(data) or align > 15 or offset % (1 << align):
            raise Damaged(f"has {name} at a place that does not fit")
        if name in seen:
            raise Damaged(f"has {name} twice")
        seen.add(name)
        yield name, data[offset:offset + size]


def join(parts):
    """A fat file of {architecture: archive}."""
    table, body = b"", b""
    start = 8 + 20 * len(parts)
    for name, data in parts.items():
        offset = start + len(body)
        gap = -offset % (1 << ALIGNMENT)
        body += bytes(gap) + data
        table += struct.pack(">5I", *CPUS[name], offset + gap, len(data), ALIGNMENT)
    return struct.pack(">2I", FAT_MAGIC, len(parts)) + table + body


def members(data):
    """Yields (name, bytes) of an archive in BSD's form, which Apple's tools write."""
    if not data.startswith(ARCHIVE_MAGIC):
        raise Damaged("is no archive")
    at = len(ARCHIVE_MAGIC)
    while at < len(data):
        header = data[at:at + 60]
        if len(header) != 60 or header[58:] != b"`\n":
            raise Damaged("has a damaged header of a member")
        name, size = header[:16].decode("latin-1").rstrip(), int(header[48:58])
        body = data[at + 60:at + 60 + size]
        if len(body) != size:
            raise Damaged(f"is cut off in {name}")
        if name.startswith("#1/"):
            length = int(name[3:])
            name, body = body[:length].rstrip(b"\0").decode(), body[length:]
        yield name, body
        at += 60 + size + size % 2


def has_index(data):
    """Without one, Apple's linkers do not take an archive."""
    first = next(members(data), ("", b""))[0]
    return first.startswith("__.SYMDEF")


def objects(data):
    """The objects of an archive."""
    try:
        return [read_object(name, body) for name, body in members(data) if not name.startswith("__.SYMDEF")]
    except (struct.error, ValueError, IndexError) as why:
        raise Damaged(str(why)) from why


def read_object(name, data):
    if len(data) < 32 or struct.unpack_from("<I", data)[0] != MACHO_MAGIC:
        raise Damaged(f"has {name}, which is no 64-bit Mach-O object")
    _, cpu, subtype, kind, count, _, _, _ = struct.unpack_from("<8I", data)
    if kind != OBJECT_FILE:
        raise Damaged(f"has {name}, which is no object file")
    found = Object(name, architecture_of(cpu, subtype))
    at = 32
    for _ in range(count):
        command, size = struct.unpack_from("<2I", data, at)
        if size < 8 or at + size > len(data):
            raise Damaged(f"has {name} with a damaged load command")
        read_command(found, command, data, at, size)
        at += size
    return found


def read_command(found, command, data, at, size):
    if command == LC_BUILD_VERSION:
        platform, minimum = struct.unpack_from("<2I", data, at + 8)
        found.platform = PLATFORMS.get(platform, f"platform {platform}")
        found.minimum = (minimum >> 16, minimum >> 8 & 0xFF)
    elif command == LC_LINKER_OPTION:
        texts = data[at + 12:at + size].split(b"\0")[:struct.unpack_from("<I", data, at + 8)[0]]
        found.linker_options += (tuple(text.decode() for text in texts),)
    elif command == LC_SYMTAB:
        read_symbols(found, data, *struct.unpack_from("<4I", data, at + 8))


def read_symbols(found, data, offset, count, names, names_size):
    undefined, defined = set(), set()
    for i in range(count):
        name, kind, _, _, value = struct.unpack_from("<IBBHQ", data, offset + 16 * i)
        if kind & N_STAB or not kind & N_EXT or name >= names_size:
            continue
        start = names + name
        text = data[start:data.index(b"\0", start)].decode()
        is_undefined = kind & N_TYPE == N_UNDF and value == 0
        (undefined if is_undefined else defined).add(text)
    found.undefined, found.defined = frozenset(undefined), frozenset(defined)
