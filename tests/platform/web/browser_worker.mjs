// SPDX-License-Identifier: Apache-2.0
// A worker of browser_page.mjs: runs a plan when it is told to, or a loop that does not end by itself.
import * as linnet from "/web/linnet.js";
import { answerToNoise } from "/test/noise.mjs";

onmessage = async ({ data }) => {
  if (data.module !== undefined) await linnet.load(data.module);
  const plan = await linnet.Plan.fetch(data.url);
  if (!data.endless) return postMessage(answerToNoise(linnet, plan)[0]);
  const session = new linnet.Session(plan);
  postMessage("begins");
  session.run({ in0: new Float32Array(3), in1: Float32Array.of(1) }); // doubles zeros until their sum is 1
  postMessage("has ended");
};
