// SPDX-License-Identifier: Apache-2.0
#include "runtime/ops/op_codec.h"

#include <cstring>

#include "runtime/ops/all_attrs.h"

namespace linnet {
namespace {

struct Codec {
  const char* name;
  const char* table;
  std::vector<uint8_t> (*encode)(const void* attrs);
  bool (*equal)(const void* a, const void* b);
};

template <typename Attrs>
std::vector<uint8_t> EncodeOne(const void* attrs) {
  flatbuffers::FlatBufferBuilder fbb;
  fbb.Finish(Encode(fbb, *static_cast<const Attrs*>(attrs)));
  return {fbb.GetBufferPointer(), fbb.GetBufferPointer() + fbb.GetSize()};
}

template <typename Attrs>
bool EqualOne(const void* a, const void* b) {
  return *static_cast<const Attrs*>(a) == *static_cast<const Attrs*>(b);
}

constexpr Codec kCodecs[] = {
#define LINNET_OP(name, file) \
  {#name, "linnet.schema." #name "Attrs", EncodeOne<name##Attrs>, EqualOne<name##Attrs>},
#include "runtime/ops/op_list.def"
#undef LINNET_OP
};

}  // namespace

std::vector<uint8_t> EncodeAttrs(OpKind kind, const void* attrs) {
  return kCodecs[static_cast<size_t>(kind)].encode(attrs);
}

Status CheckAttrs(OpKind kind, const void* attrs) {
  alignas(8) std::byte decoded[kMaxAttrsBytes];
  return FindOp(kind)->decode(EncodeAttrs(kind, attrs), decoded);
}

bool AttrsEqual(OpKind kind, const void* a, const void* b) {
  return kCodecs[static_cast<size_t>(kind)].equal(a, b);
}

const char* AttrsTableName(OpKind kind) { return kCodecs[static_cast<size_t>(kind)].table; }

bool FindOpKind(const char* name, OpKind* kind) {
  for (int i = 0; i < kNumOps; ++i) {
    if (std::strcmp(kCodecs[i].name, name) != 0) continue;
    *kind = static_cast<OpKind>(i);
    return true;
  }
  return false;
}

}  // namespace linnet
