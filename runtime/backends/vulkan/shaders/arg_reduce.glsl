// SPDX-License-Identifier: Apache-2.0
// The whole of arg_reduce.comp and arg_reduce_int.comp, which define the vector V, Lowest() and Load(). Threads share the work as in
// reduce.glsl: by columns where the axis is not the last dimension, else by rows.

layout(constant_id = 1) const uint kSplits = 1;  // a power of two, up to 64
layout(constant_id = 2) const bool kRows = false;

#include "shared_quads.glsl"

shared V group_values[kGroupThreads];
shared ivec4 group_places[kGroupThreads];

// The larger values and their places; of equal values the first.
void Join(inout V value, inout ivec4 place, V other, ivec4 other_place) {
  const bvec4 equal_and_first = bvec4(uvec4(equal(value, other)) & uvec4(lessThan(other_place, place)));
  place = mix(mix(place, other_place, greaterThan(other, value)), other_place, equal_and_first);
  value = mix(value, other, greaterThan(other, value));
}

// What one thread finds in the quads that begin at `first`. The first place wins where nothing is above the lowest value.
void Search(uint first, uint split, inout V best, inout ivec4 place) {
  for (uint position = split; position < p.positions; position += kSplits) {
    V value = Load(first + position * p.stride);
    if (kRows) value = KeepFirst(value, p.columns - position * 4u, Lowest());
    const bvec4 better = greaterThan(value, best);
    best = mix(best, value, better);
    place = mix(place, kRows ? ivec4(position * 4u) + ivec4(0, 1, 2, 3) : ivec4(position), better);
  }
}

void main() {
  const uint thread = gl_LocalInvocationID.x;
  const Share my = ShareOf(thread, kRows);
  const uint outer = my.quad / p.stride;
  uint first = kRows ? my.element * p.positions
                     : outer * p.positions * p.stride + (my.quad - outer * p.stride);
  V value = Lowest();
  ivec4 place = ivec4(0);
  for (uint lane = 0; lane < (kRows ? 4u : 1u); ++lane) {
    V best = Lowest();
    ivec4 best_place = ivec4(0);
    if (lane < my.alive) Search(first, my.split, best, best_place);
    if (kRows) {
      Join(best, best_place, best.zwxy, best_place.zwxy);
      Join(best, best_place, best.yxwz, best_place.yxwz);
      value = V(value.yzw, best.x);  // in its lane after four rounds
      place = ivec4(place.yzw, best_place.x);
      first += p.positions;
    } else {
      value = best;
      place = best_place;
    }
  }

  group_values[thread] = value;
  group_places[thread] = place;
  for (uint count = kSplits / 2u; count > 0u; count /= 2u) {
    barrier();
    if (my.split < count) {
      Join(value, place, group_values[thread + count * my.distance], group_places[thread + count * my.distance]);
      group_values[thread] = value;
      group_places[thread] = place;
    }
  }
  if (my.split == 0u && my.alive > 0u)
    STORE(y, my.quad, mix(ivec4(0), place, lessThan(uvec4(0u, 1u, 2u, 3u), uvec4(my.alive))));
}
