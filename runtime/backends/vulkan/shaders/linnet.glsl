// SPDX-License-Identifier: Apache-2.0
// What all shaders include: the workgroup, and how tensors are read and written. A tensor is an array of quads, four elements of
// a row each; rows are padded to whole quads (Layout::kRows4), and padding is written as 0.
#extension GL_GOOGLE_include_directive : require
#ifdef LINNET_F16A  // tensors as with LINNET_F16P, but sums.glsl computes with them as they are
#extension GL_EXT_shader_explicit_arithmetic_types_float16 : require
#define LINNET_F16P
#endif

layout(local_size_x_id = 0, local_size_y = 1, local_size_z = 1) in;

// Compilers may assume that floats are no NaN. NVIDIA's makes min and max of comparisons that would leave it, and drops x != x. Only bits tell.
bvec4 IsNan(vec4 x) { return greaterThan(floatBitsToUint(x) & 0x7fffffffu, uvec4(0x7f800000u)); }

// `y`, but NaN where `x` is.
vec4 KeepNan(vec4 x, vec4 y) { return mix(y, x, IsNan(x)); }

// The larger of both, but NaN where `x` is.
float AtLeast(float x, float low) { return KeepNan(vec4(x), vec4(max(x, low))).x; }

// Binding b holds the quads of a tensor of floats (F), of 32-bit integers (I) or of any elements that are only moved (U). How floats, and
// what may be floats, lie in memory depends on the module: without LINNET_F16P in 32 bits, with it in 16 (Layout::kRows4Half). Integers
// have 32 bits in both, and so have floats of an F32.
#ifdef LINNET_F16P
struct MovedHalves { uvec2 bits; };
#define QUAD_F uvec2
#define QUAD_U MovedHalves
#else
#define QUAD_F vec4
#define QUAD_U uvec4
#endif
#define READ(b, name, T) layout(std430, set = 0, binding = b) readonly buffer Binding##b { T name[]; }
#define READ_F(b, name) READ(b, name, QUAD_F)
#define READ_I(b, name) READ(b, name, ivec4)
#define READ_F32(b, name) READ(b, name, vec4)
#define READ_U(b, name) READ(b, name, QUAD_U)
#define WRITE(b, name, T) layout(std430, set = 0, binding = b) buffer Binding##b { T name[]; }
#define WRITE_F(b, name) WRITE(b, name, QUAD_F)
#define WRITE_I(b, name) WRITE(b, name, ivec4)
#define WRITE_U(b, name) WRITE(b, name, QUAD_U)
#define WRITE_F32(b, name) WRITE(b, name, vec4)

// What READ_F32 and WRITE_F32 name where it is no tensor: the scratch memory of a step, whose floats have 32 bits in both.
#define LOAD_F32(name, i) name[i]
#define STORE_F32(name, i, value) name[i] = value

// Nothing else accesses the other bindings: quad i as a vec4, ivec4 or uvec4, by LOAD and STORE. STORE_LANE writes one of a quad's elements;
// the others stay. MOVED is an element of a uvec4, given by its 32 bits.
#ifdef LINNET_F16P
#define LOAD(name, i) Unpacked(name[i])
#define STORE(name, i, value) name[i] = Packed(value)
#define STORE_LANE(name, i, lane, value) name[i] = Packed(WithLane(Unpacked(name[i]), lane, value))
#define MOVED(bits) (Packed(vec4(uintBitsToFloat(bits))).x & 0xffffu)

vec4 Unpacked(uvec2 bits) { return vec4(unpackHalf2x16(bits.x), unpackHalf2x16(bits.y)); }
vec4 Unpacked(vec4 quad) { return quad; }
ivec4 Unpacked(ivec4 quad) { return quad; }
uvec4 Unpacked(MovedHalves quad) { return uvec4(quad.bits & 0xffffu, quad.bits >> 16).xzyw; }

// What is beyond the largest number, 65504, is stored as that one; NaN stays NaN. Compares bits, as IsNan: those of numbers above 65504 up to
// infinity follow each other.
uvec2 Packed(vec4 value) {
  const uint largest = 0x477fe000u, infinity = 0x7f800000u;
  const uvec4 bits = floatBitsToUint(value);
  const bvec4 beyond = lessThanEqual((bits & 0x7fffffffu) - (largest + 1u), uvec4(infinity - (largest + 1u)));
  value = uintBitsToFloat(mix(bits, bits & 0x80000000u | largest, beyond));
  return uvec2(packHalf2x16(value.xy), packHalf2x16(value.zw));
}
ivec4 Packed(ivec4 quad) { return quad; }
MovedHalves Packed(uvec4 quad) { return MovedHalves(quad.xz | quad.yw << 16); }

uvec4 WithLane(uvec4 quad, int lane, uint value) {
  quad[lane] = value;
  return quad;
}
#else
#define LOAD(name, i) name[i]
#define STORE(name, i, value) name[i] = value
#define STORE_LANE(name, i, lane, value) name[i][lane] = value
#define MOVED(bits) (bits)
#endif

// The number of this thread among all of the dispatch, which may have two dimensions because one is limited to 65535 workgroups.
uint LinearId() {
  return gl_GlobalInvocationID.x + gl_GlobalInvocationID.y * (gl_NumWorkGroups.x * gl_WorkGroupSize.x);
}

// `value` with 0 in the lanes behind the last element of a row of `columns` elements, of which it is quad `quad`.
bvec4 IsInside(uint quad, uint columns) { return lessThan(quad * 4u + uvec4(0u, 1u, 2u, 3u), uvec4(columns)); }
vec4 Masked(vec4 value, uint quad, uint columns) { return mix(vec4(0.0), value, IsInside(quad, columns)); }
ivec4 Masked(ivec4 value, uint quad, uint columns) { return mix(ivec4(0), value, IsInside(quad, columns)); }
uvec4 Masked(uvec4 value, uint quad, uint columns) { return mix(uvec4(0u), value, IsInside(quad, columns)); }

// The same for quad `i` of a tensor whose rows are `row_quads` quads; rows without padding need no division.
#define MASKED_ROW(T) \
  T MaskedRow(T value, uint i, uint row_quads, uint columns) { \
    return (columns & 3u) == 0u ? value : Masked(value, i % row_quads, columns); \
  }
MASKED_ROW(vec4)
MASKED_ROW(ivec4)
MASKED_ROW(uvec4)
