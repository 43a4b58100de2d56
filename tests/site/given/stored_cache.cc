// SPDX-License-Identifier: Apache-2.0
// A file in which an application stores what a session learned about the GPU.
#include <linnet/linnet.hpp>

struct File {
  linnet::Span<const std::byte> bytes() const;
  void Replace(const void* data, size_t bytes);
};

void Given(File& file) {
#include LINNET_BLOCK
}
