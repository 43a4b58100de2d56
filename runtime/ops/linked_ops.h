// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "runtime/ops/op_def.h"

// Which ops a program contains. The tables of ops, of portable kernels, of the backends' lowerings
// and of backends are each in a source file of their own that has nothing else in it, named
// linked_*.cc. A whole library has every row. A program that is linked with the static archive may
// define the tables itself, in an object file of its own: the linker then leaves the archive's out,
// and with them all kernels that no table names. Parts that are not ops are constants in the same
// way (runtime/core/linked_parts.h). `linnet embed` writes such a file. It is compiled
// without these headers, so they declare arrays without bounds, and whatever reads one asks
// kNumLinkedOps.
namespace linnet {

// By OpKind; null for an op that is not linked.
extern const OpDef* const kLinkedOps[];
// Rows of each table that is indexed by OpKind. In a program's own tables it may be less than
// kNumOps.
extern const int kNumLinkedOps;

// Row `kind` of such a table; null where there is none. `kind` may come from a file.
template <typename Row>
const Row* FindLinked(const Row* const table[], OpKind kind) {
  const auto index = static_cast<int>(kind);
  return index < kNumLinkedOps ? table[index] : nullptr;
}

}  // namespace linnet
