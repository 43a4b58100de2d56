// SPDX-License-Identifier: Apache-2.0
// The 17 key points of a person by MoveNet, and the skeleton that they make.
export const NAMES = [
  "nose", "left eye", "right eye", "left ear", "right ear", "left shoulder", "right shoulder", "left elbow", "right elbow",
  "left wrist", "right wrist", "left hip", "right hip", "left knee", "right knee", "left ankle", "right ankle",
];
const BONES = [
  [0, 1], [0, 2], [1, 3], [2, 4], [0, 5], [0, 6], [5, 6], [5, 7], [7, 9], [6, 8], [8, 10], [5, 11], [6, 12], [11, 12], [11, 13],
  [13, 15], [12, 14], [14, 16],
];
const SURE = 0.3; // points with at least this score are drawn

/** The points of `image`, which a canvas can draw, as fractions of its size; and the time of the run. */
export function findPoints(session, image) {
  const [, height, width] = session.inputs[0].shape;
  const small = new OffscreenCanvas(width, height).getContext("2d", { willReadFrequently: true });
  small.imageSmoothingQuality = "high";
  small.drawImage(image, 0, 0, width, height);
  const rgba = small.getImageData(0, 0, width, height).data;
  const pixels = session.input(0);
  for (let from = 0, to = 0; from < rgba.length; from += 4)
    for (let channel = 0; channel < 3; ++channel) pixels[to++] = rgba[from + channel];
  const began = performance.now();
  session.run();
  const milliseconds = performance.now() - began;
  const values = session.output(0);
  const points = NAMES.map((_, i) => ({ y: values[3 * i], x: values[3 * i + 1], score: values[3 * i + 2] }));
  return { points, milliseconds };
}

export function draw(context, points) {
  const { width, height } = context.canvas;
  const radius = Math.max(2, width / 128);
  const seen = points.map(({ x, y, score }) => (score >= SURE ? [x * width, y * height] : null));
  context.lineWidth = radius;
  context.strokeStyle = "rgb(0 220 255)";
  context.fillStyle = "rgb(255 80 0)";
  for (const [from, to] of BONES) {
    if (seen[from] === null || seen[to] === null) continue;
    context.beginPath();
    context.moveTo(...seen[from]);
    context.lineTo(...seen[to]);
    context.stroke();
  }
  for (const point of seen) {
    if (point === null) continue;
    context.beginPath();
    context.arc(...point, radius, 0, 2 * Math.PI);
    context.fill();
  }
}
