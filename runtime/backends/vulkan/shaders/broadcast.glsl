// SPDX-License-Identifier: Apache-2.0
// Where inputs that broadcast have the elements of a quad of the output; wants linnet.glsl and a BinaryPush `p`.

layout(constant_id = 2) const uint RANK = 1u;
layout(constant_id = 3) const uint SPLAT = 0u;

// One dimension's part of InputQuads. Written out for each, because a division in a loop costs much where it is not unrolled.
#define ADD_DIMENSION(d)                                                          \
  if (RANK > d + 1u) {                                                            \
    const uint next = rest / p.extent[d];                                         \
    at += (rest - next * p.extent[d]) * uvec3(p.a[d], p.b[d], p.c[d]);            \
    rest = next;                                                                  \
  } else if (RANK == d + 1u) {                                                    \
    at += rest * uvec3(p.a[d], p.b[d], p.c[d]);                                   \
  }

// The quads of the inputs a, b and c that belong to quad `i` of the output.
uvec3 InputQuads(uint i) {
  uvec3 at = uvec3(0u);
  uint rest = i;
  ADD_DIMENSION(0u)
  ADD_DIMENSION(1u)
  ADD_DIMENSION(2u)
  ADD_DIMENSION(3u)
  ADD_DIMENSION(4u)
  ADD_DIMENSION(5u)
  return at;
}

// The elements of input `number` (0 is a), of which `value` is the quad that InputQuads names.
#define SPLATTED(number, value) ((SPLAT >> number & 1u) != 0u ? (value).xxxx : (value))
