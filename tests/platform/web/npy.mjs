// SPDX-License-Identifier: Apache-2.0
// NumPy's files, as the scripts that compare with TensorFlow write and read them.
import { readFile, writeFile } from "node:fs/promises";

const DESCRIPTIONS = {
  float32: "<f4",
  float64: "<f8",
  int32: "<i4",
  int64: "<i8",
  int16: "<i2",
  uint16: "<u2",
  uint8: "|u1",
  int8: "|i1",
  bool: "|b1",
};

/** The elements in a file, as an array of this type. */
export async function readNpy(file, { dtype, type }) {
  const bytes = await readFile(file);
  const header = bytes.toString("latin1", 10, 10 + bytes.readUInt16LE(8));
  const found = /'descr': '([^']*)'.*'fortran_order': False/.exec(header)?.[1];
  if (found !== DESCRIPTIONS[dtype]) throw new Error(`${file} has elements ${found}, want ${DESCRIPTIONS[dtype]}`);
  return new type(bytes.buffer.slice(bytes.byteOffset + 10 + header.length, bytes.byteOffset + bytes.length));
}

export async function writeNpy(file, { dtype, shape, data }) {
  const dims = shape.map((extent) => `${extent},`).join("");
  const text = `{'descr': '${DESCRIPTIONS[dtype]}', 'fortran_order': False, 'shape': (${dims}), }`;
  const header = text.padEnd(Math.ceil((text.length + 11) / 64) * 64 - 11) + "\n";
  const start = Buffer.from("\x93NUMPY\x01\x00\x00\x00", "latin1");
  start.writeUInt16LE(header.length, 8);
  await writeFile(file, Buffer.concat([start, Buffer.from(header), Buffer.from(data.buffer, data.byteOffset, data.byteLength)]));
}
