// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstdint>

namespace linnet {

// Linnet's ops; values are the row numbers of op_list.def and go into plans.
enum class OpKind : uint16_t {
#define LINNET_OP(name, file) k##name,
#include "runtime/ops/op_list.def"
#undef LINNET_OP
};

inline constexpr int kNumOps = 0
#define LINNET_OP(name, file) +1
#include "runtime/ops/op_list.def"
#undef LINNET_OP
    ;

}  // namespace linnet
