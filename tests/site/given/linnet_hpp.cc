// SPDX-License-Identifier: Apache-2.0
// What the example at the head of linnet.hpp takes as given.
#include <algorithm>
#include <linnet/linnet.hpp>
#include <vector>

static int Fail(const char* text) { return text[0]; }
static void Use(linnet::Span<const float> output) { (void)output; }

int Given(const std::vector<float>& picture) {
#include LINNET_BLOCK
  return 0;
}
