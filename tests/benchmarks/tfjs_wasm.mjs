// SPDX-License-Identifier: Apache-2.0
// Linnet in WebAssembly beside tfjs' WebAssembly backend: one thread, one process, runs that take turns, the same inputs. A run
// includes what a page does for it: giving the input, and reading all outputs.
//
//   node tests/benchmarks/tfjs_wasm.mjs [MODEL]... [--rounds N] [--limit RATIO] [--build DIR] [--models DIR]
//
// After `ctest --preset wasm`, which makes DIR's plans (build/wasm). Fails where outputs differ, and with --limit where a ratio of
// medians is above it. The first run fetches tfjs from npm into DIR/tfjs.
import { execFileSync } from "node:child_process";
import { existsSync, mkdirSync, readFileSync, renameSync, rmSync } from "node:fs";
import { createRequire } from "node:module";
import path from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";
import { parseArgs } from "node:util";
import { gzipSync } from "node:zlib";

const TFJS_VERSION = "4.22.0";
const WARM_UP = 10;
const TOLERANCE = 1e-4; // of the largest magnitude
const root = fileURLToPath(new URL("../..", import.meta.url));
const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    rounds: { type: "string", default: "100" },
    limit: { type: "string", default: "Infinity" },
    build: { type: "string", default: path.join(root, "build/wasm") },
    models: { type: "string", default: path.join(root, "build/models") },
  },
});
const models = positionals.length > 0 ? positionals : ["movenet-lightning"];

// The folder of tfjs' packages, which appears complete.
function fetchTfjs() {
  const folder = path.resolve(values.build, `tfjs-${TFJS_VERSION}`);
  if (existsSync(folder)) return folder;
  const work = `${folder}.${process.pid}`;
  mkdirSync(work, { recursive: true });
  const packages = ["core", "converter", "backend-wasm"].map((part) => `@tensorflow/tfjs-${part}@${TFJS_VERSION}`);
  try {
    execFileSync("npm", ["install", "--silent", "--no-audit", "--no-fund", "--prefix", work, ...packages], { stdio: "inherit" });
    renameSync(work, folder);
  } finally {
    rmSync(work, { recursive: true, force: true });
  }
  return folder;
}

const folder = fetchTfjs();
const require = createRequire(path.join(folder, "package.json"));
const dist = (part) => path.join(folder, "node_modules/@tensorflow", `tfjs-${part}`, "dist");
const tf = require("@tensorflow/tfjs-core");
const { loadGraphModel } = require("@tensorflow/tfjs-converter");
require("@tensorflow/tfjs-backend-wasm").setWasmPaths(dist("backend-wasm") + path.sep);
tf.env().set("WASM_HAS_MULTITHREAD_SUPPORT", false);
await tf.setBackend("wasm");
const { Plan, Session } = await import(pathToFileURL(path.resolve(values.build, "web/linnet.js")));

async function loadTfjs(model) {
  const where = path.join(values.models, "human");
  const json = JSON.parse(readFileSync(path.join(where, `${model}.json`), "utf8"));
  const files = json.weightsManifest.flatMap((group) => group.paths).map((file) => readFileSync(path.join(where, file)));
  const weightData = new Uint8Array(Buffer.concat(files)).buffer;
  const weightSpecs = json.weightsManifest.flatMap((group) => group.weights);
  return loadGraphModel({ load: async () => ({ ...json, weightSpecs, weightData }) });
}

// The same pseudo-random pixels every time.
function noise(info) {
  const array = new info.type(info.shape.reduce((product, extent) => product * extent, 1));
  let state = 1;
  for (let i = 0; i < array.length; ++i) {
    state = (Math.imul(state, 1103515245) + 12345) >>> 0;
    array[i] = info.dtype === "float32" ? (state >>> 16) / 65536 : (state >>> 16) % 256;
  }
  return array;
}

function difference(ours, theirs) {
  const largest = theirs.reduce((most, value) => Math.max(most, Math.abs(value)), 0);
  return ours.reduce((most, value, i) => Math.max(most, Math.abs(value - theirs[i])), 0) / (largest || 1);
}

const median = (times) => times.sort((a, b) => a - b)[times.length >> 1];

async function compare(model) {
  const session = new Session(await Plan.fetch(pathToFileURL(path.resolve(values.build, `tests/platform/web/plans/${model}.linnet`))));
  const peer = await loadTfjs(model);
  const [info] = session.inputs;
  const pixels = noise(info);
  const names = session.outputs.map(({ source }) => source);
  const runOurs = () => session.run({ [info.name]: pixels });
  const runTheirs = () => {
    const input = tf.tensor(pixels, info.shape, info.dtype);
    const outputs = [peer.execute(input, names)].flat();
    const data = outputs.map((output) => output.dataSync());
    tf.dispose([input, ...outputs]);
    return data;
  };
  const theirs = runTheirs();
  const error = Math.max(...Object.values(runOurs()).map((data, i) => difference(data, theirs[i])));
  const times = { ours: [], theirs: [] };
  for (let round = -WARM_UP; round < Number(values.rounds); ++round)
    for (const [who, run] of [["ours", runOurs], ["theirs", runTheirs]]) {
      const began = performance.now();
      run();
      if (round >= 0) times[who].push(performance.now() - began);
    }
  peer.dispose();
  return { ours: median(times.ours), theirs: median(times.theirs), error };
}

const transferred = (...files) => files.reduce((sum, file) => sum + gzipSync(readFileSync(file), { level: 9 }).length, 0);
const sizes = {
  ours: transferred(...["linnet.wasm", "linnet.js"].map((file) => path.resolve(values.build, "web", file))),
  theirs: transferred(
    path.join(dist("core"), "tf-core.min.js"),
    path.join(dist("converter"), "tf-converter.min.js"),
    path.join(dist("backend-wasm"), "tf-backend-wasm.min.js"),
    path.join(dist("backend-wasm"), "tfjs-backend-wasm-simd.wasm"),
  ),
};
console.log(`bytes to transfer (gzip): ${sizes.ours}, tfjs ${TFJS_VERSION} ${sizes.theirs}`);
console.log("model                 Linnet ms   tfjs ms   ratio   difference");
let failed = false;
for (const model of models) {
  try {
    const { ours, theirs, error } = await compare(model);
    const wrong = !(error <= TOLERANCE) || ours / theirs > Number(values.limit);
    failed ||= wrong;
    console.log(
      model.padEnd(20),
      ours.toFixed(2).padStart(10),
      theirs.toFixed(2).padStart(9),
      (ours / theirs).toFixed(2).padStart(7),
      error.toExponential(1).padStart(12),
      wrong ? "  FAILED" : "",
    );
  } catch (error) {
    failed = true;
    console.log(model.padEnd(20), error.message.split("\n")[0]);
  }
}
process.exitCode = failed ? 1 : 0;
