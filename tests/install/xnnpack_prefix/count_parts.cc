// SPDX-License-Identifier: Apache-2.0
// Returns 0 when all five libraries are linked.
extern "C" int part_XNNPACK();

int main() { return part_XNNPACK() == 5 ? 0 : 1; }
