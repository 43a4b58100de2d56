// SPDX-License-Identifier: Apache-2.0
// How matrix products and convolutions add up products. Operands are quads of the type A4, read by LOAD_A. Each sum is a QUAD of 32-bit
// elements, and terms are added to PARTS(part, sum): to the sum itself, but with LINNET_F16A to a part of it. There products and
// up to 4 * kPartQuads terms are numbers of 16 bits, which AddPart then moves to the sum. A product or a part may be beyond 65504 although
// the sum is not. It is infinite then, and the sum is infinite or NaN in the end: IsSpoiled says so, and the shader computes that
// sum once more in 32 bits. That costs time, but none where it does not happen. A loop that goes through the spoiled sums of a tile by
// their bits in a mask keeps compilers from making a copy of that code for each.
#ifndef QUAD
#define QUAD vec4
#endif

#ifdef LINNET_F16A
#define A4 f16vec4
#define LOAD_A(name, i) Halves(name[i])
#define PARTS(part, sum) part

f16vec4 Halves(uvec2 bits) { return f16vec4(unpackFloat2x16(bits.x), unpackFloat2x16(bits.y)); }

// With parts of 16 terms, nets were 1 to 3 times as far from the right results as with packed halves; with parts of 32, up to 4 times.
const uint kPartQuads = 4u;
// `quads`: how many quads of terms were added so far.
bool IsPartFull(uint quads) { return quads % kPartQuads == 0u; }
void AddPart(inout vec4 sum, inout f16vec4 part) {
  sum += vec4(part);
  part = f16vec4(0);
}
// By its bits, because compilers may assume that nothing is infinite.
bool IsSpoiled(vec4 sum) { return any(equal(floatBitsToUint(sum) & uvec4(0x7f800000u), uvec4(0x7f800000u))); }
#else
#define A4 QUAD
#define LOAD_A(name, i) LOAD(name, i)
#define PARTS(part, sum) sum
#endif
