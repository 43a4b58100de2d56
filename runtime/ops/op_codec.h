// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstdint>
#include <vector>

#include "runtime/ops/op_def.h"

namespace linnet {

// Functions on attributes that only the converter needs; a library that only runs plans does not
// link them.

// The op's table as a finished FlatBuffer: the inverse of OpDef::decode.
std::vector<uint8_t> EncodeAttrs(OpKind kind, const void* attrs);

// The status that OpDef::decode returns for these attributes, when a plan with them is opened.
Status CheckAttrs(OpKind kind, const void* attrs);

bool AttrsEqual(OpKind kind, const void* a, const void* b);

// Name of the op's table in ops.fbs ("linnet.schema.Conv2DAttrs"), for text forms.
const char* AttrsTableName(OpKind kind);

// The op called `name` ("Conv2D"); false when there is none.
bool FindOpKind(const char* name, OpKind* kind);

// The OpKind of an attribute struct.
template <typename Attrs>
struct KindOf;
#define LINNET_OP(name, file)                        \
  struct name##Attrs;                                \
  template <>                                        \
  struct KindOf<name##Attrs> {                       \
    static constexpr OpKind value = OpKind::k##name; \
  };
#include "runtime/ops/op_list.def"
#undef LINNET_OP

}  // namespace linnet
