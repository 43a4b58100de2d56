// SPDX-License-Identifier: Apache-2.0
// Models, errors and the demo page in a browser without a window, which must answer as Node does, bit by bit: WebAssembly leaves no
// choice.
//   node browser_test.mjs chromium|firefox-esr PROGRAM WEB_FOLDER PLANS_FOLDER MODEL...     PROGRAM: its path, or what CMake found instead
import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { existsSync } from "node:fs";
import { mkdtemp, readFile, rm } from "node:fs/promises";
import { createServer } from "node:http";
import { tmpdir } from "node:os";
import path from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";

import { answerToNoise } from "./noise.mjs";

const [kind, program, web, plans, ...models] = process.argv.slice(2);
if (!existsSync(program)) {
  console.log(`there is no ${kind} (Debian: ${kind}), so nothing is tested in it`);
  process.exit(77);
}
const WORDS = {
  chromium: (profile) => ["--headless=new", "--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage", `--user-data-dir=${profile}`],
  "firefox-esr": (profile) => ["--headless", "--no-remote", "--profile", profile],
};
const here = path.dirname(fileURLToPath(import.meta.url));
const TYPES = { ".js": "text/javascript", ".mjs": "text/javascript", ".html": "text/html", ".wasm": "application/wasm" };
const PAGE = '<!DOCTYPE html><title>test</title><body><script type="module" src="/test/browser_page.mjs"></script>';

const posted = new Map();
let finish;
const finished = new Promise((resolve) => (finish = resolve));

async function answer(request) {
  const [, room, ...rest] = new URL(request.url, "http://host").pathname.split("/");
  const name = rest.join("/");
  if (room === "post") {
    const chunks = [];
    for await (const chunk of request) chunks.push(chunk);
    posted.set(name, Buffer.concat(chunks));
    if (name === "done") finish();
    return ["text/plain", ""];
  }
  if (room === "page.html") return ["text/html", PAGE];
  if (room === "models.json") return ["application/json", JSON.stringify(models)];
  const folder = { web, plans, test: here, golden: path.join(here, "../../golden/plans") }[room];
  return [TYPES[path.extname(name)] ?? "application/octet-stream", await readFile(path.join(folder, name))];
}

const server = createServer((request, response) => {
  answer(request).then(
    ([type, body]) => response.writeHead(200, { "Content-Type": type }).end(body),
    () => response.writeHead(404).end(),
  );
});
await new Promise((resolve) => server.listen(0, "127.0.0.1", resolve));
const profile = await mkdtemp(path.join(tmpdir(), "linnet-browser-"));
const page = `http://127.0.0.1:${server.address().port}/page.html`;
const browser = spawn(program, [...WORDS[kind](profile), page], { stdio: "ignore" });
browser.on("exit", (code) => finish(`it ended (${code})`));
const problem = await Promise.race([finished, new Promise((resolve) => setTimeout(resolve, 150_000, "it does not answer").unref())]);
const ended = new Promise((resolve) => browser.once("exit", resolve));
if (browser.exitCode === null && browser.kill()) await ended;
server.close();
await rm(profile, { recursive: true, force: true, maxRetries: 5 });

assert.equal(problem, undefined);
assert.equal(String(posted.get("done")), "");
const linnet = await import(pathToFileURL(path.join(web, "linnet.js")));
for (const model of models) {
  const plan = await linnet.Plan.fetch(pathToFileURL(path.join(plans, `${model}.linnet`)));
  answerToNoise(linnet, plan).forEach((output, index) =>
    assert.ok(posted.get(`${model}/${index}`)?.equals(output), `${model}: output ${index} differs from that in Node`),
  );
  plan.close();
  console.log(`${model}: the same`);
}
assert.ok(posted.get("worker").equals(posted.get("liveness/0")), "the answer of a worker differs from that of the page");
assert.equal(String(posted.get("endless")), "begins, goes on");
const [missing, damaged] = JSON.parse(posted.get("errors"));
assert.match(missing, /^true LINNET_IO cannot read http:.*missing\.linnet: HTTP status 404$/);
assert.match(damaged, /^true LINNET_INVALID_PLAN /);

const { output, drawn, size, rows } = JSON.parse(posted.get("demo"));
assert.match(output, /^Found in [0-9.]+ ms$/);
assert.deepEqual(size, [512, 512]);
assert.ok(drawn > 500, `${drawn} pixels of a skeleton`);
// Where the astronaut is.
for (const [name, y, x] of [["nose", 0.24, 0.43], ["left shoulder", 0.53, 0.62], ["right shoulder", 0.5, 0.21]]) {
  const row = rows.find(([first]) => first === name);
  assert.ok(Math.hypot(row[1] - y, row[2] - x) < 0.03, `${row}, want ${y} ${x}`);
}
console.log(`the demo: ${output}, ${drawn} pixels of a skeleton`);
