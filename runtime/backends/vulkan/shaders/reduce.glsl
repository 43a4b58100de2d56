// SPDX-License-Identifier: Apache-2.0
// The whole of reduce.comp and reduce_int.comp, which define the element E, the vector V of four of them, Start() and Join().
// kSplits threads of a workgroup share a quad of the output. Each joins every kSplits-th of the quads of the input that
// belong to it, which are p.positions many and have p.reduced digits; then a tree in shared memory joins the threads' results.
// There are two ways, because a quad has four neighbours of the last dimension:
//   columns (kRows is false): the last dimension is kept, so four neighbouring outputs are reduced together;
//   rows: it is reduced, so a quad of the output is four reductions, one after the other, each with lanes to join at its end.

layout(constant_id = 1) const uint kKind = 0;
layout(constant_id = 2) const uint kSplits = 1;  // a power of two, up to 64
layout(constant_id = 3) const bool kRows = false;

#include "shared_quads.glsl"

shared V group_values[kGroupThreads];

// The quad of the input where each of these outputs begins: output quads if the last dimension is kept, else output elements.
uvec4 FirstQuads(uvec4 outputs) {
  uvec4 rest = outputs / p.kept[0];
  uvec4 quads = (outputs - rest * p.kept[0]) * p.kept_stride[0];
  uvec4 next = rest / p.kept[1];
  quads += (rest - next * p.kept[1]) * p.kept_stride[1];
  rest = next / p.kept[2];
  quads += (next - rest * p.kept[2]) * p.kept_stride[2];
  return quads + rest * p.kept_stride[3];
}

uvec4 Digits(uint position) {
  const uint rest = position / p.reduced[0];
  const uint next = rest / p.reduced[1];
  const uint last = next / p.reduced[2];
  return uvec4(position - rest * p.reduced[0], rest - next * p.reduced[1], next - last * p.reduced[2], last);
}

// Digits of the position that is kSplits further.
uvec4 Advance(uvec4 digits) {
  digits += uvec4(p.advance[0], p.advance[1], p.advance[2], p.advance[3]);
  const uint carry0 = digits.x >= p.reduced[0] ? 1u : 0u;
  digits.x -= carry0 * p.reduced[0];
  digits.y += carry0;
  const uint carry1 = digits.y >= p.reduced[1] ? 1u : 0u;
  digits.y -= carry1 * p.reduced[1];
  digits.z += carry1;
  const uint carry2 = digits.z >= p.reduced[2] ? 1u : 0u;
  digits.z -= carry2 * p.reduced[2];
  digits.w += carry2;
  return digits;
}

// What one thread joins of the quads that begin at `first`: from position `split` on, which has these digits. Long sums round less
// when they are sums of shorter ones.
V JoinQuads(uint first, uint split, uvec4 digits) {
  V total = Start();
  V run = Start();
  uint count = 0;
  for (uint position = split; position < p.positions; position += kSplits) {
    const uvec4 steps = digits * uvec4(p.stride[0], p.stride[1], p.stride[2], p.stride[3]);
    V value = LOAD(x, first + (steps.x + steps.y) + (steps.z + steps.w));
    if (kRows) value = KeepFirst(value, p.columns - digits.x * 4u, Start());
    run = Join(run, value);
    if ((++count & 31u) == 0u) {
      total = Join(total, run);
      run = Start();
    }
    digits = Advance(digits);
  }
  return Join(total, run);
}

void main() {
  const uint thread = gl_LocalInvocationID.x;
  const Share my = ShareOf(thread, kRows);
  const uvec4 digits = Digits(my.split);
  uvec4 firsts = FirstQuads(kRows ? uvec4(my.element) + uvec4(0u, 1u, 2u, 3u) : uvec4(my.quad));
  V value = Start();
  for (uint lane = 0; lane < (kRows ? 4u : 1u); ++lane) {
    V joined = Start();
    if (lane < my.alive) joined = JoinQuads(firsts.x, my.split, digits);
    if (kRows) {
      joined = Join(joined, joined.zwxy);
      value = V(value.yzw, Join(joined, joined.yxwz).x);  // in its lane after four rounds
      firsts = firsts.yzwx;
    } else {
      value = joined;
    }
  }

  group_values[thread] = value;
  for (uint count = kSplits / 2u; count > 0u; count /= 2u) {
    barrier();
    if (my.split < count) group_values[thread] = Join(group_values[thread], group_values[thread + count * my.distance]);
  }
  if (my.split == 0u && my.alive > 0u) STORE(y, my.quad, KeepFirst(Finish(group_values[thread]), my.alive, V(0)));
}
