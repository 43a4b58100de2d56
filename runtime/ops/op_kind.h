// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstdint>

namespace linnet {

// Linnet's ops. The values are row numbers of op_list.def and are stored in plans.
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
