// SPDX-License-Identifier: Apache-2.0
// Where inputs that broadcast have the elements of a quad of the output; wants linnet.glsl and a BroadcastPush `p`.

layout(constant_id = 2) const uint RANK = 1u;
layout(constant_id = 3) const uint SPLAT = 0u;

// The quads of the inputs a, b and c that belong to quad `i` of the output.
uvec3 InputQuads(uint i) {
  uvec3 at = uvec3(0u);
  uint rest = i;
  for (uint d = 0u; d + 1u < RANK; ++d) {
    const uint next = rest / p.extent[d];
    at += (rest - next * p.extent[d]) * uvec3(p.a[d], p.b[d], p.c[d]);
    rest = next;
  }
  return at + rest * uvec3(p.a[RANK - 1u], p.b[RANK - 1u], p.c[RANK - 1u]);
}

// The elements of input `number` (0 is a), of which `value` is the quad that InputQuads names.
#define SPLATTED(number, value) ((SPLAT >> number & 1u) != 0u ? (value).xxxx : (value))
