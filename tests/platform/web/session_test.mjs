// SPDX-License-Identifier: Apache-2.0
// LINNET_WEB: the path of linnet.js; LINNET_PLANS: the folder golden/plans.
import assert from "node:assert/strict";
import path from "node:path";
import test from "node:test";
import { pathToFileURL } from "node:url";

const { LinnetError, Plan, Session } = await import(pathToFileURL(process.env.LINNET_WEB));
const open = (name) => Plan.fetch(pathToFileURL(path.join(process.env.LINNET_PLANS, `${name}.linnet`)));
const floats = (...values) => new Float32Array(values);
const feeds = (seed) => ({
  x: Float32Array.from({ length: 108 }, (_, i) => Math.sin(i * seed)),
  index: Int32Array.of(1, 0),
});

test("runs give fresh arrays by name", async () => {
  const session = new Session(await open("sum"));
  const first = session.run({ x: floats(1, 1, 1), index: Int32Array.of(2) });
  const second = session.run({ x: floats(10, 20, 30), index: Int32Array.of(0) });
  assert.deepEqual(first, { sum: floats(2, 3, 4), last: floats(0, 0, 0), picked: floats(4) });
  assert.deepEqual(second, { sum: floats(12, 23, 34), last: floats(1, 1, 1), picked: floats(12) });
});

test("reset gives variables their first values", async () => {
  const session = new Session(await open("sum"));
  const x = { x: floats(5, 5, 5), index: Int32Array.of(0) };
  const first = session.run(x);
  assert.notDeepEqual(session.run(x), first);
  session.reset();
  assert.deepEqual(session.run(x), first);
});

test("the session's own memory, without copies", async () => {
  const session = new Session(await open("small"));
  const wanted = session.run(feeds(3));
  session.input("x").set(feeds(3).x);
  session.input("index:0").set([1, 0]);
  assert.equal(session.run(), undefined);
  assert.deepEqual(session.output(0).slice(), wanted.probabilities);
  assert.deepEqual(session.output("picked").slice(), wanted.picked);
  assert.ok(Math.abs(session.output(0).reduce((a, b) => a + b) - 1) < 1e-5, "probabilities");
  assert.ok(session.input(0).byteOffset % 64 === 0);
});

test("two sessions of a plan, and one of another, do not mix", async () => {
  const plan = await open("sum");
  const [one, two] = [new Session(plan), new Session(plan)];
  const other = new Session(await open("sum"));
  const index = Int32Array.of(0);
  one.run({ x: floats(1, 0, 0), index });
  assert.deepEqual(two.run({ x: floats(0, 1, 0), index }).sum, floats(1, 3, 3));
  assert.deepEqual(other.run({ x: floats(0, 0, 1), index }).sum, floats(1, 2, 4));
  assert.deepEqual(one.run({ x: floats(1, 0, 0), index }).sum, floats(3, 2, 3));
  two.close();
  assert.deepEqual(one.run({ x: floats(1, 0, 0), index }).sum, floats(4, 2, 3));
});

test("one error lists everything that does not fit, and nothing is copied", async () => {
  const session = new Session(await open("small"));
  session.input("x").fill(7);
  const text = (inputs) => {
    try {
      session.run(inputs);
    } catch (error) {
      assert.ok(error instanceof LinnetError && error.status === "LINNET_INVALID_ARGUMENT", String(error));
      return error.message;
    }
    return assert.fail("no error");
  };
  assert.equal(
    text({ x: new Float64Array(108), indices: 1 }),
    "there is no input 'indices', only 'x', 'index'; input 'x' takes a Float32Array, not a Float64Array; input 'index' is not given",
  );
  assert.equal(
    text({ x: new Float32Array(107), index: [1, 0] }),
    "input 'x' has the shape [1,6,6,3], so 108 elements, not 107; input 'index' takes a Int32Array, not a Array",
  );
  assert.match(text({ x: null, index: undefined }), /not null; .*not undefined/);
  assert.match(text({ x: new Float32Array(108).fill(1) }), /'index' is not given/);
  for (const nothing of [null, {}, 5, []]) assert.match(text(nothing), /'x' is not given; input 'index' is not given/);
  assert.ok(session.input("x").every((value) => value === 7));
});

test("errors of a run name the node, and the session goes on", async () => {
  const session = new Session(await open("small"));
  const wanted = session.run(feeds(2));
  assert.throws(() => session.run({ ...feeds(2), index: Int32Array.of(0, 1000) }), {
    name: "LinnetError",
    status: "LINNET_BAD_INDEX",
    message: /picked/,
  });
  assert.deepEqual(session.run(feeds(2)), wanted);
});

test("unknown names and indices", async () => {
  const plan = await open("small");
  const session = new Session(plan);
  for (const use of [
    () => session.input("y"),
    () => session.input(),
    () => session.input(null),
    () => session.input(0.5),
    () => session.input(2),
    () => session.output(-1),
    () => session.inputShape("picked"),
    () => session.setInputShape("y", [1]),
    () => new Session(plan, { signature: "other" }),
  ])
    assert.throws(use, { status: "LINNET_INVALID_ARGUMENT", message: /^there is no .*, only '/ });
  assert.equal(new Session(plan, { signature: "serving_default" }).inputs.length, 2);
});

test("shapes that vary", async () => {
  const session = new Session(await open("varying"));
  assert.deepEqual(session.inputShape("x"), [8, 3]);
  session.setInputShape("x", [2, 3]);
  assert.equal(session.input("x").length, 6);
  const outputs = session.run({
    x: floats(1, 2, 3, 4, 5, 6),
    keep: Uint8Array.of(0, 1, 0, 0, 0, 1, 0, 0),
  });
  assert.deepEqual(outputs.rows, Int32Array.of(2, 3));
  assert.deepEqual(outputs.found, BigInt64Array.of(1n, 5n));
  assert.deepEqual(session.outputShape("found"), [2, 1]);
  assert.equal(outputs.sum.length, 6);
  assert.deepEqual(outputs.padded.slice(0, 7), floats(1, 2, 3, 4, 5, 6, 0));
  for (const shape of [[0, 3], [9, 3], [2, 4], [2], Array(9).fill(1)])
    assert.throws(() => session.setInputShape("x", shape), { status: "LINNET_INVALID_ARGUMENT", message: /./ });
  for (const shape of [[1.5, 3], [NaN, 3], ["a", 3], "23", null, undefined]) assert.throws(() => session.setInputShape("x", shape), LinnetError);
  assert.deepEqual(session.inputShape("x"), [2, 3]);
});

test("a loop that data ends", async () => {
  const session = new Session(await open("loop"));
  const [n, z] = Object.values(session.run({ in0: floats(1, 2, 3), in1: floats(100) }));
  assert.deepEqual([n, z], [Int32Array.of(5), floats(32, 64, 96)]);
});

test("memory is limited where the caller says so", async () => {
  const plan = await open("large");
  assert.throws(() => new Session(plan, { maxBytes: 1000 }), { status: "LINNET_NO_MEMORY", message: /./ });
  for (const maxBytes of [1, 1.5, 1000]) assert.throws(() => new Session(plan, { maxBytes }), { status: "LINNET_NO_MEMORY" });
  for (const maxBytes of [0, 0.5, -1, NaN, null, "many", {}])
    assert.throws(() => new Session(plan, { maxBytes }), { status: "LINNET_INVALID_ARGUMENT", message: /maxBytes is a number/ });
  for (const maxBytes of [100e6, 1e12, Infinity, undefined]) new Session(plan, { maxBytes }).run();
});

test("neither runs nor sessions let the memory grow", async () => {
  const plan = await open("small");
  const bytes = (session) => session.input(0).buffer.byteLength;
  const first = new Session(plan);
  first.run(feeds(1));
  let session = new Session(plan);
  const before = bytes(session);
  for (let i = 0; i < 5000; ++i) first.run(feeds(i));
  for (let i = 0; i < 5000; ++i) {
    session.close();
    session.close();
    session = new Session(plan);
    if (i % 100 === 0) session.run(feeds(i));
    assert.throws(() => session.run({}), LinnetError);
  }
  assert.equal(bytes(first), before);
});

test("sessions come and go in any order, and some fail", async () => {
  const plan = await open("sum");
  const sessions = []; // with what their variable must be
  let random = 1;
  const below = (limit) => (random = (Math.imul(random, 1103515245) + 12345) >>> 0) % 65536 % limit;
  const bytes = () => new Session(plan).input(0).buffer.byteLength;
  let before = 0;
  for (let step = 0; step < 20000; ++step) {
    const index = below(8);
    if (step === 1000) before = bytes();
    if (sessions[index] === undefined) {
      sessions[index] = { session: new Session(plan), sum: [1, 2, 3] };
    } else if (below(3) === 0) {
      sessions[index].session.close();
      delete sessions[index];
    } else {
      const x = floats(below(9), below(9), below(9));
      sessions[index].sum = sessions[index].sum.map((value, i) => value + x[i]);
      assert.deepEqual(sessions[index].session.run({ x, index: Int32Array.of(0) }).sum, floats(...sessions[index].sum));
    }
    if (below(4) === 0) assert.throws(() => new Session(plan, { maxBytes: 1 + below(2000) }), { status: "LINNET_NO_MEMORY" });
  }
  assert.equal(bytes(), before);
});
