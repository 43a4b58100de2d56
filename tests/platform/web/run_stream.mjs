// SPDX-License-Identifier: Apache-2.0
// What tests/models asks of the program run_stream, in Node: runs a plan with a single input once per row of a file, then resets the
// session and repeats all runs, which must give the same bits.
//   node run_stream.mjs LINNET.JS PLAN INPUT.npy FOLDER
import assert from "node:assert/strict";
import path from "node:path";
import { pathToFileURL } from "node:url";

import { readNpy, writeNpy } from "./npy.mjs";

const [library, file, from, folder] = process.argv.slice(2);
const { Plan, Session } = await import(pathToFileURL(library));
const session = new Session(await Plan.fetch(pathToFileURL(file)));
const [info] = session.inputs;
const rows = await readNpy(from, info);
const length = session.input(0).length;

function stream() {
  const results = [];
  for (let at = 0; at < rows.length; at += length) results.push(session.run({ [info.name]: rows.subarray(at, at + length) }));
  return results;
}

const first = stream();
session.reset();
assert.deepEqual(stream(), first);
for (const { name, dtype, type, shape } of session.outputs) {
  const size = first[0][name].length;
  const data = new type(first.length * size);
  first.forEach((outputs, row) => data.set(outputs[name], row * size));
  await writeNpy(path.join(folder, `${name}.npy`), { dtype, shape: [first.length, ...shape], data });
}
