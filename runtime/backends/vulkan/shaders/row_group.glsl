// SPDX-License-Identifier: Apache-2.0
// Rows that several threads of a workgroup share. Each thread looks at every kThreadsPerRow-th quad of its row; then all threads of the
// workgroup call RowSum or RowMax, also those whose row is behind the last one.

layout(constant_id = 1) const uint kThreadsPerRow = 64;  // a power of two, up to 64

const uint kGroupThreads = 64;  // kWorkgroupSize of lowering.h
shared vec2 group_values[kGroupThreads];

// In each of the row's threads: the sum of what they pass.
vec2 RowSum(vec2 value) {
  const uint thread = gl_LocalInvocationID.x;
  const uint lane = thread % kThreadsPerRow;
  group_values[thread] = value;
  for (uint count = kThreadsPerRow / 2u; count > 0u; count /= 2u) {
    barrier();
    if (lane < count) group_values[thread] += group_values[thread + count];
  }
  barrier();
  const vec2 sum = group_values[thread - lane];
  barrier();  // the next call writes group_values
  return sum;
}

// In each of the row's threads: the largest of what they pass; any of them if there is NaN among them.
float RowMax(float value) {
  const uint thread = gl_LocalInvocationID.x;
  const uint lane = thread % kThreadsPerRow;
  group_values[thread].x = value;
  for (uint count = kThreadsPerRow / 2u; count > 0u; count /= 2u) {
    barrier();
    if (lane < count) group_values[thread].x = max(group_values[thread].x, group_values[thread + count].x);
  }
  barrier();
  const float largest = group_values[thread - lane].x;
  barrier();  // the next call writes group_values
  return largest;
}

float LaneSum(vec4 value) {
  return (value.x + value.z) + (value.y + value.w);
}

// Adds up many values with little rounding: runs of a few values first, then the sums of the runs.
struct LongSum {
  vec4 run;
  vec4 total;
  uint count;
};
const LongSum kNoSum = LongSum(vec4(0.0), vec4(0.0), 0u);

void Add(inout LongSum sum, vec4 value) {
  sum.run += value;
  if ((++sum.count & 31u) == 0u) {
    sum.total += sum.run;
    sum.run = vec4(0.0);
  }
}

float Total(LongSum sum) {
  return LaneSum(sum.total + sum.run);
}
