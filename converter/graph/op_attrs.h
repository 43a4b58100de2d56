// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <array>
#include <cstddef>
#include <cstring>
#include <span>
#include <utility>
#include <vector>

#include "converter/graph/extent.h"
#include "runtime/ops/op_codec.h"
#include "runtime/ops/op_def.h"

namespace linnet::converter {

// The attributes of a Linnet op by value: its kind, its <Name>Attrs struct, and those of its
// extents (slots of OpDef::set_extent) that may differ from run to run. The struct holds the
// largest value of such an extent.
class OpAttrs {
 public:
  struct Varying {
    int slot;
    Extent extent;
    friend bool operator==(const Varying&, const Varying&) = default;
  };
  OpAttrs() = default;
  template <typename Attrs, OpKind kKind = KindOf<Attrs>::value>
  OpAttrs(const Attrs& attrs) : kind_(kKind) {  // NOLINT: implicit on purpose
    static_assert(sizeof(Attrs) <= kMaxAttrsBytes);
    std::memcpy(bytes_.data(), &attrs, sizeof(Attrs));
  }

  // Zeroed attributes of `kind`, which OpDef::decode fills in.
  static OpAttrs Room(OpKind kind) {
    OpAttrs attrs;
    attrs.kind_ = kind;
    return attrs;
  }

  OpKind kind() const { return kind_; }
  const std::vector<Varying>& varying() const { return varying_; }
  void Vary(int slot, Extent extent) { varying_.push_back({slot, std::move(extent)}); }
  const void* data() const { return bytes_.data(); }
  void* data() { return bytes_.data(); }
  // Attrs must be the struct of kind().
  template <typename Attrs>
  const Attrs& as() const {
    LINNET_DCHECK(KindOf<Attrs>::value == kind_);
    return *reinterpret_cast<const Attrs*>(bytes_.data());
  }
  template <typename Attrs>
  Attrs& as() {
    LINNET_DCHECK(KindOf<Attrs>::value == kind_);
    return *reinterpret_cast<Attrs*>(bytes_.data());
  }
  friend bool operator==(const OpAttrs& a, const OpAttrs& b) {
    return a.kind_ == b.kind_ && AttrsEqual(a.kind_, a.data(), b.data()) &&
           a.varying_ == b.varying_;
  }

 private:
  OpKind kind_ = {};
  alignas(8) std::array<std::byte, kMaxAttrsBytes> bytes_{};
  std::vector<Varying> varying_;
};

// The output types that the op's shape rule infers.
inline Status InferOutputs(const OpAttrs& attrs, std::span<const InputInfo> inputs,
                           std::vector<TensorType>* outputs) {
  outputs->resize(kMaxOpOutputs);
  const Status status = InferTypes({attrs.kind(), attrs.data(), inputs, {}}, outputs->data());
  outputs->resize(static_cast<size_t>(FindOp(attrs.kind())->num_outputs));
  return status;
}

}  // namespace linnet::converter
