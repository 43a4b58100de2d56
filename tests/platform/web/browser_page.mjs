// SPDX-License-Identifier: Apache-2.0
// What browser_test.mjs wants to know of a browser: posts the answers of the models, then what the demo shows, then "done".
import * as linnet from "/web/linnet.js";
import { answerToNoise } from "/test/noise.mjs";

const { LinnetError, Plan } = linnet;
const post = (name, body) => fetch(`/post/${name}`, { method: "POST", body });

async function models() {
  for (const model of await (await fetch("/models.json")).json()) {
    const plan = await Plan.fetch(`plans/${model}.linnet`);
    for (const [index, output] of answerToNoise(linnet, plan).entries()) await post(`${model}/${index}`, output);
    plan.close();
  }
}

// A worker runs a plan with a module that this page has compiled; another one is in an endless loop when it is ended.
async function workers() {
  const ask = (worker, message) =>
    new Promise((resolve, reject) => {
      worker.onmessage = ({ data }) => resolve(data);
      worker.onerror = ({ message }) => reject(new Error(message));
      worker.postMessage(message);
    });
  const start = () => new Worker("/test/browser_worker.mjs", { type: "module" });
  const module = await WebAssembly.compileStreaming(fetch("/web/linnet.wasm"));
  await post("worker", await ask(start(), { module, url: "/plans/liveness.linnet" }));
  const endless = start();
  const began = await ask(endless, { url: "/golden/loop.linnet", endless: true });
  const more = new Promise((resolve) => (endless.onmessage = ({ data }) => resolve(data)));
  const later = await Promise.race([more, new Promise((resolve) => setTimeout(resolve, 500, "goes on"))]);
  endless.terminate();
  await post("endless", `${began}, ${later}`);
}

async function errors() {
  const texts = [];
  for (const attempt of [() => Plan.fetch("plans/missing.linnet"), () => Plan.fetch("page.html")])
    texts.push(await attempt().then(
      () => "none",
      (error) => `${error instanceof LinnetError} ${error.status} ${error.message}`,
    ));
  await post("errors", JSON.stringify(texts));
}

// The demo, as a user sees it.
async function demo() {
  const frame = document.body.appendChild(document.createElement("iframe"));
  frame.src = "/web/demo/index.html";
  const shown = () => frame.contentDocument?.querySelector("output")?.textContent ?? "Loading";
  while (shown().startsWith("Loading")) await new Promise((resolve) => setTimeout(resolve, 50));
  const inside = frame.contentDocument;
  const canvas = inside.querySelector("canvas");
  const { data } = canvas.getContext("2d").getImageData(0, 0, canvas.width, canvas.height);
  let drawn = 0; // pixels in the colours of the skeleton
  for (let i = 0; i < data.length; i += 4) {
    const is = (r, g, b) => data[i] === r && data[i + 1] === g && data[i + 2] === b;
    if (is(0, 220, 255) || is(255, 80, 0)) ++drawn;
  }
  const rows = [...inside.querySelectorAll("tr")].map((row) => [...row.children].map((cell) => cell.textContent));
  await post("demo", JSON.stringify({ output: shown(), drawn, size: [canvas.width, canvas.height], rows }));
}

try {
  await models();
  await workers();
  await errors();
  await demo();
  await post("done", "");
} catch (error) {
  await post("done", `${error}\n${error.stack}`);
}
