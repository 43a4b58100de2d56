// SPDX-License-Identifier: Apache-2.0
// What tests/models asks of the program linnet-run, in Node:
//   node linnet_run.mjs LINNET.JS PLAN --output-dir FOLDER [--input NAME=FILE.npy]... [--backend portable] [--threads 1]
import { mkdir } from "node:fs/promises";
import path from "node:path";
import { pathToFileURL } from "node:url";
import { parseArgs } from "node:util";

import { readNpy, writeNpy } from "./npy.mjs";

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    "output-dir": { type: "string" },
    input: { type: "string", multiple: true, default: [] },
    backend: { type: "string", default: "portable" },
    threads: { type: "string", default: "1" },
  },
});
const [library, file] = positionals;
if (values.backend !== "portable" || values.threads !== "1") throw new Error("there are only portable kernels and one thread");
const { Plan, Session } = await import(pathToFileURL(library));

const session = new Session(await Plan.fetch(pathToFileURL(file)));
const feeds = {};
for (const pair of values.input) {
  const [, name, from] = /^(.*)=(.*)$/.exec(pair);
  feeds[name] = await readNpy(from, session.inputs.find((info) => info.name.replace(/:0$/, "") === name.replace(/:0$/, "")));
}
const outputs = session.run(feeds);
const folder = values["output-dir"];
await mkdir(folder, { recursive: true });
for (const { name, dtype } of session.outputs)
  await writeNpy(path.join(folder, `${name.replaceAll(/[/:]/g, "_")}.npy`), {
    dtype,
    shape: session.outputShape(name),
    data: outputs[name],
  });
