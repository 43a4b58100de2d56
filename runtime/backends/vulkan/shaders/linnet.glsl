// SPDX-License-Identifier: Apache-2.0
// What all shaders include: the workgroup, and how tensors are read and written. A tensor is an array of quads, four elements of
// a row each; rows are padded to whole quads (Layout::kRows4), and padding is written as 0.
#extension GL_GOOGLE_include_directive : require

layout(local_size_x_id = 0, local_size_y = 1, local_size_z = 1) in;

// Binding b holds the quads of a tensor of floats (F), of 32-bit integers (I) or of any elements that are only moved (U).
#define READ_F(b, name) layout(std430, set = 0, binding = b) readonly buffer Binding##b { vec4 name[]; }
#define READ_I(b, name) layout(std430, set = 0, binding = b) readonly buffer Binding##b { ivec4 name[]; }
#define READ_U(b, name) layout(std430, set = 0, binding = b) readonly buffer Binding##b { uvec4 name[]; }
#define WRITE_F(b, name) layout(std430, set = 0, binding = b) buffer Binding##b { vec4 name[]; }
#define WRITE_I(b, name) layout(std430, set = 0, binding = b) buffer Binding##b { ivec4 name[]; }
#define WRITE_U(b, name) layout(std430, set = 0, binding = b) buffer Binding##b { uvec4 name[]; }

// Nothing else accesses these bindings: quad i as a vec4, ivec4 or uvec4.
#define LOAD(name, i) name[i]
#define STORE(name, i, value) name[i] = value
// Writes one of a quad's elements; the others stay.
#define STORE_LANE(name, i, lane, value) name[i][lane] = value

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
