// SPDX-License-Identifier: Apache-2.0
// The page: shows a picture, the skeleton on it, and the points in a table.
import { Plan, Session } from "../linnet.js";
import { NAMES, draw, findPoints } from "./pose.js";

const canvas = document.querySelector("canvas");
const output = document.querySelector("output");

async function show(session, picture) {
  const image = await createImageBitmap(picture);
  const { points, milliseconds } = findPoints(session, image);
  canvas.width = image.width;
  canvas.height = image.height;
  const context = canvas.getContext("2d");
  context.drawImage(image, 0, 0);
  draw(context, points);
  const rows = points.map(({ x, y, score }, i) => {
    const row = document.createElement("tr");
    for (const text of [NAMES[i], y.toFixed(3), x.toFixed(3), score.toFixed(3)])
      row.appendChild(document.createElement("td")).textContent = text;
    return row;
  });
  document.querySelector("table").replaceChildren(...rows);
  output.textContent = `Found in ${milliseconds.toFixed(1)} ms`;
}

// Shows errors instead of results.
function reporting(work) {
  return work.catch((error) => (output.textContent = String(error)));
}

reporting(
  (async () => {
    const session = new Session(await Plan.fetch("movenet.linnet"));
    document.querySelector("input").addEventListener("change", ({ target }) => {
      if (target.files.length > 0) reporting(show(session, target.files[0]));
    });
    await show(session, await (await fetch("picture.png")).blob());
  })(),
);
