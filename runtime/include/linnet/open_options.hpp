// SPDX-License-Identifier: Apache-2.0
//
// open_options.hpp: how linnet.hpp opens plans. Include linnet.hpp, which includes this.
#ifndef LINNET_OPEN_OPTIONS_HPP_
#define LINNET_OPEN_OPTIONS_HPP_

#include <cstddef>
#include <cstdint>

#include "linnet/span.hpp"
#include "linnet/types.h"

namespace linnet {
inline namespace v0 {

// The program's own functions for memory.
using Allocator = linnet_allocator;

// How to open a plan; see linnet_open_options.
struct OpenOptions {
  uint32_t flags = 0;                    // LINNET_OPEN_...
  const Allocator* allocator = nullptr;  // null: malloc
  Span<std::byte> block = {};            // empty: the allocator

  linnet_open_options ToC() const {
    linnet_open_options options{};
    options.struct_size = sizeof(options);
    options.flags = flags;
    options.allocator = allocator;
    options.block = block.data();
    options.block_bytes = block.size();
    return options;
  }
};

}  // namespace v0
}  // namespace linnet

#endif  // LINNET_OPEN_OPTIONS_HPP_
