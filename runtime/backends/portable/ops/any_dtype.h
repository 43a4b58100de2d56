// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "runtime/backends/portable/portable_op.h"

namespace linnet::portable {

// For ops that support everything that their shape rule allows.
inline const char* SupportsAnything(const OpInstance&) { return nullptr; }

}  // namespace linnet::portable
