// SPDX-License-Identifier: Apache-2.0
// Runs the JavaScript of README.md and of platform/web/README.md as it stands there, in a folder with the module and MoveNet's plan.
// LINNET_WEB: the path of linnet.js; LINNET_PLAN: that of the plan; LINNET_ROOT: the repository.
import assert from "node:assert/strict";
import { copyFile, mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import test from "node:test";
import { pathToFileURL } from "node:url";

const { LINNET_PLAN, LINNET_ROOT, LINNET_WEB } = process.env;

// What the lines take as given, and a look at what they made.
const before = 'const pixels = new Int32Array(192 * 192 * 3).fill(90);\nconst used = [];\nconst use = (value) => used.push(value);\n';
const after = "\nexport { Identity, used };\n";

for (const [file, imports] of [
  ["README.md", 'import { Plan, Session } from "./linnet.js";\n'],
  ["platform/web/README.md", ""],
])
  test(`the lines of ${file}`, async (t) => {
    const text = await readFile(path.join(LINNET_ROOT, file), "utf8");
    const [[, lines], ...others] = text.matchAll(/^```js\n(.*?)^```$/gms);
    assert.deepEqual(others, [], "one block of js is run");
    const folder = await mkdtemp(path.join(tmpdir(), "linnet-"));
    const home = process.cwd();
    t.after(() => (process.chdir(home), rm(folder, { recursive: true })));
    for (const name of ["linnet.js", "linnet.wasm", "package.json"]) await copyFile(path.join(path.dirname(LINNET_WEB), name), path.join(folder, name));
    await copyFile(LINNET_PLAN, path.join(folder, "movenet.linnet"));
    await writeFile(path.join(folder, "lines.js"), imports + before + lines + after);
    process.chdir(folder);
    const { Identity, used } = await import(pathToFileURL(path.join(folder, "lines.js")));
    assert.equal(Identity.length, 17 * 3);
    assert.ok(Identity.every((value) => value >= 0 && value <= 1));
    for (const output of used) assert.deepEqual(output, Identity);
  });
