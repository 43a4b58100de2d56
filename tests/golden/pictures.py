# SPDX-License-Identifier: Apache-2.0
"""Reads, greys and resizes pictures, the same to the last bit on every machine; numpy only."""

import struct
import zlib

import numpy as np

COEFFICIENT_BITS = 22


def read_png(path):
    """An 8-bit RGB picture without interlacing as u8 [height, width, 3]."""
    data = path.read_bytes()
    if data[:8] != b"\x89PNG\r\n\x1a\n":
        raise ValueError(f"{path}: not a PNG file")
    chunks = list(_chunks(data))
    width, height, depth, colour, _, _, interlace = struct.unpack(">IIBBBBB", chunks[0][1])
    if (depth, colour, interlace) != (8, 2, 0):
        raise ValueError(f"{path}: only 8-bit RGB without interlacing is read")
    pixels = zlib.decompress(b"".join(body for kind, body in chunks if kind == b"IDAT"))
    lines = np.frombuffer(pixels, np.uint8).reshape(height, 1 + 3 * width)
    return _unfilter(lines).reshape(height, width, 3)


def grey(picture):
    """ITU-R 601 luma, rounded: [height, width, 1]."""
    red, green, blue = np.moveaxis(picture.astype(np.int64), 2, 0)
    return ((19595 * red + 38470 * green + 7471 * blue + 32768) >> 16).astype(np.uint8)[..., None]


def resize(picture, height, width):
    """Bilinear, a triangle as wide as the step when it shrinks: what Pillow's BILINEAR makes, bit by bit."""
    if picture.shape[1] != width:
        picture = _resize_rows(picture.swapaxes(0, 1), width).swapaxes(0, 1)
    return _resize_rows(picture, height) if picture.shape[0] != height else picture


def _chunks(data):
    at = 8
    while at < len(data):
        length, kind = struct.unpack(">I4s", data[at:at + 8])
        yield kind, data[at + 8:at + 8 + length]
        at += 12 + length


def _unfilter(lines):
    """Undoes the filter named by each line's first byte."""
    above = np.zeros(lines.shape[1] - 1, np.uint8)
    rows = []
    for line in lines:
        kind, row = line[0], line[1:].copy()
        if kind == 1:
            row = np.cumsum(row.reshape(-1, 3), axis=0, dtype=np.uint8).ravel()
        elif kind == 2:
            row += above
        elif kind in (3, 4):
            row = _unfilter_from_left(row.tolist(), above.tolist(), _average if kind == 3 else _paeth)
        rows.append(row)
        above = row
    return np.stack(rows)


def _unfilter_from_left(row, above, predict):
    for i, value in enumerate(row):
        left, corner = (row[i - 3], above[i - 3]) if i >= 3 else (0, 0)
        row[i] = (value + predict(left, above[i], corner)) & 255
    return np.array(row, np.uint8)


def _average(left, up, _):
    return (left + up) // 2


def _paeth(left, up, corner):
    to_left, to_up, to_corner = abs(up - corner), abs(left - corner), abs(left + up - 2 * corner)
    if to_left <= to_up and to_left <= to_corner:
        return left
    return up if to_up <= to_corner else corner


def _resize_rows(picture, height):
    """Resizes the first axis."""
    rows = []
    for first, coefficients in _triangles(picture.shape[0], height):
        window = picture[first:first + len(coefficients)].astype(np.int64)
        total = np.tensordot(coefficients, window, axes=1) + (1 << (COEFFICIENT_BITS - 1))
        rows.append(np.clip(total >> COEFFICIENT_BITS, 0, 255).astype(np.uint8))
    return np.stack(rows)


def _triangles(size, new_size):
    """For each new element: the first old one that counts and the fixed-point weights from there on."""
    scale = size / new_size
    support = max(scale, 1.0)
    for i in range(new_size):
        centre = (i + 0.5) * scale
        first = max(int(centre - support + 0.5), 0)
        last = min(int(centre + support + 0.5), size)
        weights = [max(1 - abs((x - centre + 0.5) * (1 / support)), 0.0) for x in range(first, last)]
        total = sum(weights)
        yield first, np.array([int(0.5 + weight / total * (1 << COEFFICIENT_BITS))
                               for weight in weights], np.int64)
