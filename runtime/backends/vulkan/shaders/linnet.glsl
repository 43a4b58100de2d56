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

// The number of this thread among all of the dispatch, which may have two dimensions because one is limited to 65535 workgroups.
uint LinearId() {
  return gl_GlobalInvocationID.x + gl_GlobalInvocationID.y * (gl_NumWorkGroups.x * gl_WorkGroupSize.x);
}

// `value` with 0 in the lanes behind the last element of a row of `columns` elements, of which it is quad `quad`.
vec4 Masked(vec4 value, uint quad, uint columns) {
  const uint first = quad * 4u;
  return vec4(first < columns ? value.x : 0.0, first + 1u < columns ? value.y : 0.0, first + 2u < columns ? value.z : 0.0,
              first + 3u < columns ? value.w : 0.0);
}
