// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstddef>
#include <span>
#include <string>
#include <string_view>
#include <vector>

// For errors about a name that nothing has: what it may have been meant to be, and what there is.
namespace linnet {

// The names that `name` may have been meant to be, best first, `most` at most: equal but for case,
// with the same last part (behind '/'), with few letters changed, added, left out or swapped, or
// with all of a `name` of up to 64 letters in them. Takes time in proportion to the bytes of
// `names`.
std::vector<std::string_view> NearestNames(std::string_view name,
                                           std::span<const std::string_view> names,
                                           size_t most = 5);

// "'a', 'b', 'c' and 4 more": `names` in their order, `most` at most.
std::string ListOfNames(std::span<const std::string_view> names, size_t most = 10);

}  // namespace linnet
