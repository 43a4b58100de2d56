// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstddef>
#include <span>
#include <string>

#include "converter/embed/plan_sources.h"

namespace linnet::cli {

// For which kernels a program is linked.
enum class KernelChoice {
  kPortable,
  kPlain,    // portable ones that pack no weights
  kXnnpack,  // and the portable ones
};

// Measures what a session of the plan's first signature needs, with one thread, by creating one;
// the most on any backend of the choice. Returns what is wrong, "" when nothing is.
std::string MeasureSizes(std::span<const std::byte> plan, KernelChoice kernels,
                         converter::SessionSizes* sizes);

}  // namespace linnet::cli
