// SPDX-License-Identifier: Apache-2.0
// LINNET_WEB: the path of linnet.js; LINNET_PLANS: the folder golden/plans.
import assert from "node:assert/strict";
import { mkdir, mkdtemp, readFile, rm, symlink, writeFile } from "node:fs/promises";
import { createServer } from "node:http";
import { tmpdir } from "node:os";
import path from "node:path";
import test from "node:test";
import { pathToFileURL } from "node:url";

const { LinnetError, Plan, Session, load } = await import(pathToFileURL(process.env.LINNET_WEB));
const fileOf = (name) => path.join(process.env.LINNET_PLANS, `${name}.linnet`);
const small = await readFile(fileOf("small"));

const rejects = (promise, status, text) =>
  assert.rejects(promise, (error) => {
    assert.ok(error instanceof LinnetError && error instanceof Error, String(error));
    assert.equal(error.status, status, error.message);
    assert.match(error.message, text);
    return true;
  });

test("what a plan tells about itself", async () => {
  const plan = await Plan.open(small);
  assert.equal(plan.signatures.length, 1);
  const [{ name, inputs, outputs }] = plan.signatures;
  assert.equal(name, "serving_default");
  assert.deepEqual(inputs[0], {
    name: "x",
    source: "x:0",
    dtype: "float32",
    type: Float32Array,
    shape: [1, 6, 6, 3],
    varies: [false, false, false, false],
  });
  assert.deepEqual([inputs[1].name, inputs[1].dtype, inputs[1].shape], ["index", "int32", [2]]);
  assert.deepEqual(outputs.map(({ name }) => name), ["probabilities", "picked"]);
  assert.ok(Object.isFrozen(plan.signatures) && Object.isFrozen(inputs) && Object.isFrozen(inputs[0].shape));
});

test("dimensions that vary", async () => {
  const [{ inputs }] = (await Plan.fetch(pathToFileURL(fileOf("varying")))).signatures;
  assert.deepEqual(inputs[0].shape, [8, 3]);
  assert.deepEqual(inputs[0].varies, [true, false]);
  assert.equal(inputs[1].dtype, "bool");
});

test("bytes come as a buffer or as any view of one", async () => {
  const padded = new Uint8Array(small.length + 7);
  padded.set(small, 3);
  for (const bytes of [
    small,
    new Uint8Array(small).buffer,
    padded.subarray(3, 3 + small.length),
    new DataView(padded.buffer, 3, small.length),
  ])
    assert.equal((await Plan.open(bytes)).signatures[0].inputs.length, 2);
  for (const wrong of [undefined, null, "text", [1, 2], 5, new Blob([small])])
    await rejects(Plan.open(wrong), "LINNET_INVALID_ARGUMENT", /takes a plan's bytes/);
});

test("a plan is copied", async () => {
  const bytes = new Uint8Array(small);
  const plan = await Plan.open(bytes);
  bytes.fill(0xff);
  const outputs = new Session(plan).run({ x: new Float32Array(108), index: new Int32Array(2) });
  assert.ok(outputs.probabilities.every(Number.isFinite));
});

test("damaged plans are errors with the runtime's text", async () => {
  await rejects(Plan.open(new Uint8Array(0)), "LINNET_INVALID_PLAN", /./);
  await rejects(Plan.open(new TextEncoder().encode("<!DOCTYPE html>".repeat(9))), "LINNET_INVALID_PLAN", /not a .*plan/i);
  await rejects(Plan.open(small.subarray(0, small.length - 64)), "LINNET_INVALID_PLAN", /./);
  // Whatever byte is wrong, there is an answer and no trap.
  for (let at = 0; at < small.length; at += 5) {
    const bytes = new Uint8Array(small);
    bytes[at] ^= 0xff;
    await Plan.open(bytes).catch((error) => {
      assert.ok(error instanceof LinnetError, String(error));
      assert.notEqual(error.status, "LINNET_INTERNAL", `byte ${at}: ${error.message}`);
    });
  }
});

test("fetch over HTTP", async (t) => {
  const server = createServer((request, response) => {
    const found = request.url === "/small.linnet" && request.headers.token === "abc";
    response.writeHead(found ? 200 : 404);
    response.end(found ? small : "no such thing");
  });
  t.after(() => server.close());
  await new Promise((resolve) => server.listen(0, "127.0.0.1", resolve));
  const url = `http://127.0.0.1:${server.address().port}`;
  const plan = await Plan.fetch(`${url}/small.linnet`, { headers: { token: "abc" } });
  assert.equal(plan.signatures[0].inputs.length, 2);
  await rejects(Plan.fetch(`${url}/other.linnet`), "LINNET_IO", /other\.linnet: HTTP status 404/);
});

test("in Node, URLs are relative to the working folder", async () => {
  const [before, plans] = [process.cwd(), process.env.LINNET_PLANS];
  process.chdir(path.dirname(plans));
  try {
    assert.equal((await Plan.fetch(`${path.basename(plans)}/small.linnet`)).signatures[0].inputs.length, 2);
  } finally {
    process.chdir(before);
  }
});

test("what cannot be fetched", async () => {
  await rejects(Plan.fetch(pathToFileURL(fileOf("missing"))), "LINNET_IO", /cannot read file:.*missing\.linnet/);
  await rejects(Plan.fetch("http://"), "LINNET_IO", /cannot read http:/);
  await rejects(Plan.fetch("http://127.0.0.1:9/x.linnet"), "LINNET_IO", /cannot read/);
});

test("a plan is closed with its sessions, and may be closed again", async () => {
  const plan = await Plan.open(small);
  const session = new Session(plan);
  plan.close();
  plan.close();
  const closed = { name: "LinnetError", status: "LINNET_INVALID_ARGUMENT" };
  assert.throws(() => new Session(plan), { ...closed, message: "the plan is closed" });
  for (const use of [() => session.run(), () => session.input(0), () => session.run({}), () => session.outputShape(0)])
    assert.throws(use, { ...closed, message: "the session is closed" });
  session.close();
  assert.equal(plan.signatures[0].name, "serving_default");
  const other = await Plan.open(small);
  other[Symbol.dispose ?? Symbol.for("Symbol.dispose")]();
  assert.throws(() => new Session(other), closed);
});

test("plans come from Plan.open and Plan.fetch only", () => {
  assert.throws(() => new Plan(), { status: "LINNET_INVALID_ARGUMENT" });
  assert.throws(() => new Session({}), { status: "LINNET_INVALID_ARGUMENT", message: /made of a Plan/ });
});

test("the module comes from elsewhere, and a failure can be repaired", async () => {
  const module = path.join(path.dirname(process.env.LINNET_WEB), "linnet.wasm");
  await rejects(load(pathToFileURL(fileOf("missing"))), "LINNET_IO", /cannot read/);
  await assert.rejects(load(new Uint8Array([1, 2, 3])), WebAssembly.CompileError);
  assert.equal((await Plan.open(small)).signatures.length, 1);
  const bytes = await readFile(module);
  for (const source of [bytes, new WebAssembly.Module(bytes), pathToFileURL(module), String(pathToFileURL(module))]) {
    await load(source);
    assert.equal((await Plan.open(small)).signatures.length, 1);
  }
});

test("the folder is a package", async (t) => {
  const from = path.dirname(process.env.LINNET_WEB);
  const project = await mkdtemp(path.join(tmpdir(), "linnet-"));
  t.after(() => rm(project, { recursive: true }));
  await mkdir(path.join(project, "node_modules"));
  await symlink(from, path.join(project, "node_modules/linnet-web"));
  await writeFile(path.join(project, "app.mjs"), 'export * from "linnet-web";');
  const app = await import(pathToFileURL(path.join(project, "app.mjs")));
  assert.deepEqual(Object.keys(app).sort(), ["LinnetError", "Plan", "Session", "load"]);
  const { files, version } = JSON.parse(await readFile(path.join(from, "package.json"), "utf8"));
  for (const file of files) assert.ok((await readFile(path.join(from, file))).length > 1000, file);
  assert.match(version, /^\d+\.\d+\.\d+$/);
});

test("plans that are forgotten cost no memory", async () => {
  for (let i = 0; i < 40; ++i) await Plan.open(small);
  const before = process.memoryUsage().rss;
  for (let i = 0; i < 400; ++i) new Session(await Plan.open(small)).run();
  const grown = process.memoryUsage().rss - before;
  assert.ok(grown < 200e6, `${grown} bytes for 400 plans`); // each touches more than a megabyte
});
