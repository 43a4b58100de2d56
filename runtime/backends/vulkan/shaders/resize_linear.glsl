// SPDX-License-Identifier: Apache-2.0
// Resize with mode Bilinear: what resize_bilinear.comp and resize_bilinear_i32.comp share. They define the buffers x and y.
struct Tap {
  int low, high;
  float weight;  // of `high`
};

Tap TapAt(uint i, float scale, int size) {
  const float position = PositionOf(i, scale), whole = floor(position);
  const int high = min(int(ceil(position)), size - 1);
  return Tap(min(max(int(whole), 0), high), high, position - whole);
}

void main() {
  const uint id = LinearId();
  const Target target = TargetOf(id);
  if (target.pixel >= p.pixels) return;
  const Tap down = TapAt(target.y, p.scale_h, p.in_h), right = TapAt(target.x, p.scale_w, p.in_w);
  const vec4 top_left = vec4(LOAD(x, QuadAt(target, down.low, right.low)));
  const vec4 top = top_left + (vec4(LOAD(x, QuadAt(target, down.low, right.high))) - top_left) * right.weight;
  const vec4 bottom_left = vec4(LOAD(x, QuadAt(target, down.high, right.low)));
  const vec4 bottom = bottom_left + (vec4(LOAD(x, QuadAt(target, down.high, right.high))) - bottom_left) * right.weight;
  STORE(y, id, top + (bottom - top) * down.weight);
}
