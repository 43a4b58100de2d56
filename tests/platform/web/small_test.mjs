// SPDX-License-Identifier: Apache-2.0
// A module that was linked for one plan only.
// LINNET_WEB: the path of linnet.js; LINNET_SMALL: that module; LINNET_PLAN: its plan; LINNET_PLANS: the folder golden/plans.
import assert from "node:assert/strict";
import path from "node:path";
import test from "node:test";
import { pathToFileURL } from "node:url";

const { Plan, Session, load } = await import(pathToFileURL(process.env.LINNET_WEB));

async function answer() {
  const session = new Session(await Plan.fetch(pathToFileURL(process.env.LINNET_PLAN)));
  session.inputs.forEach((_, index) => {
    const array = session.input(index);
    for (let i = 0; i < array.length; ++i) array[i] = (i * 7919) % 251;
  });
  session.run();
  return session.outputs.map((_, index) => session.output(index).slice());
}

test("it computes the same as the module with all ops", async () => {
  const wanted = await answer();
  await load(pathToFileURL(process.env.LINNET_SMALL));
  assert.deepEqual(await answer(), wanted);
  assert.ok(new Set(wanted[0]).size > 10, "the answer shows nothing");
});

test("it refuses other plans and says for which it was linked", async () => {
  await load(pathToFileURL(process.env.LINNET_SMALL));
  const file = path.join(process.env.LINNET_PLANS, "varying.linnet");
  await assert.rejects(Plan.fetch(pathToFileURL(file)), {
    status: "LINNET_UNSUPPORTED",
    message: new RegExp(`has no extents that vary.*linked for ${path.basename(process.env.LINNET_PLAN)}`),
  });
});
