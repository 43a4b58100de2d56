// SPDX-License-Identifier: Apache-2.0
// How reduce.glsl and arg_reduce.glsl give quads of the output to threads: kSplits threads of a workgroup share each. They are included
// behind the vector V of the output and the push constants p.

const uint kGroupThreads = 64;  // kWorkgroupSize of lowering.h

// `value` with `other` in the lanes from `count` on.
V KeepFirst(V value, uint count, V other) {
  return mix(other, value, lessThan(uvec4(0u, 1u, 2u, 3u), uvec4(count)));
}

struct Share {
  uint split;     // this thread's number among those that share the quad
  uint quad;      // of the output
  uint element;   // of the output, the quad's first
  uint alive;     // elements that the quad has, without padding; 0 behind the last quad
  uint distance;  // from a thread to the next of those that share the quad
};

// Adjacent threads read adjacent quads, so they are neighbours in the dimension that is last: it is reduced if `rows`.
Share ShareOf(uint thread, bool rows) {
  const uint quads = kGroupThreads / kSplits;  // of the output, in this workgroup
  Share share;
  share.split = rows ? thread % kSplits : thread / quads;
  share.quad = LinearId() / kGroupThreads * quads + (rows ? thread / kSplits : thread % quads);
  const uint row = share.quad / p.out_quads;
  const uint column = (share.quad - row * p.out_quads) * 4u;
  share.element = row * p.out_columns + column;
  share.alive = share.quad < p.quads ? min(p.out_columns - column, 4u) : 0u;
  share.distance = rows ? 1u : quads;
  return share;
}
