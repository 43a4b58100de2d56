// SPDX-License-Identifier: Apache-2.0
#include "converter/legalize/context/complex_pairs.h"

#include <vector>

#include "absl/status/status.h"
#include "fmt/format.h"
#include "runtime/ops/all_attrs.h"

namespace linnet::converter {
namespace {

// What a list that has an element per dimension gets for the dimension of the pairs.
struct PairsEntry {
  Shape* list;
  int64_t value;
};

std::vector<PairsEntry> EntriesOfPairs(OpAttrs* attrs) {
  switch (attrs->kind()) {
    case OpKind::kBroadcastTo:
      return {{&attrs->as<BroadcastToAttrs>().shape, 2}};
    case OpKind::kPad:
      return {{&attrs->as<PadAttrs>().before, 0}, {&attrs->as<PadAttrs>().after, 0}};
    case OpKind::kReshape:
      return {{&attrs->as<ReshapeAttrs>().shape, 2}};
    case OpKind::kSlice: {
      auto& slice = attrs->as<SliceAttrs>();
      return {{&slice.begin, 0}, {&slice.size, 2}, {&slice.stride, 1}};
    }
    case OpKind::kTile:
      return {{&attrs->as<TileAttrs>().multiples, 1}};
    case OpKind::kTranspose: {
      Shape* perm = &attrs->as<TransposeAttrs>().perm;
      return {{perm, perm->rank()}};
    }
    default:
      return {};
  }
}

// Do the same attributes do the same to pairs? Those that name dimensions count from the first.
bool IsSameOnPairs(const OpAttrs& attrs) {
  switch (attrs.kind()) {
    case OpKind::kConcat:
    case OpKind::kGather:
    case OpKind::kGatherNd:
    case OpKind::kReverseSequence:
    case OpKind::kSelect:
      return true;
    case OpKind::kBinary: {
      const schema::BinaryKind kind = attrs.as<BinaryAttrs>().kind;
      return kind == schema::BinaryKind::Add || kind == schema::BinaryKind::Sub;
    }
    case OpKind::kCumulative:
      return attrs.as<CumulativeAttrs>().kind == schema::CumulativeKind::Sum;
    case OpKind::kReduce: {
      const schema::ReduceKind kind = attrs.as<ReduceAttrs>().kind;
      return kind == schema::ReduceKind::Sum || kind == schema::ReduceKind::Mean;
    }
    case OpKind::kUnary:
      return attrs.as<UnaryAttrs>().kind == schema::UnaryKind::Neg;
    default:
      return false;
  }
}

}  // namespace

Shape NumbersShape(const Shape& pairs) {
  return Shape(pairs.dims().first(static_cast<size_t>(pairs.rank()) - 1));
}

absl::StatusOr<OpAttrs> OnPairs(OpAttrs attrs) {
  if (IsSameOnPairs(attrs)) return attrs;
  const std::vector<PairsEntry> entries = EntriesOfPairs(&attrs);
  if (entries.empty())
    return absl::UnimplementedError(
        fmt::format("this form of it needs a {} of complex numbers", FindOp(attrs.kind())->name));
  for (const auto& [list, value] : entries) {
    if (list->rank() >= kMaxRank)
      return absl::UnimplementedError(
          fmt::format("complex numbers of rank {}, want less than {}", list->rank(), kMaxRank));
    list->Append(value);
  }
  return attrs;
}

}  // namespace linnet::converter
