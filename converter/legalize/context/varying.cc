// SPDX-License-Identifier: Apache-2.0
#include "converter/legalize/context/varying.h"

#include <algorithm>
#include <cstdlib>
#include <limits>
#include <numeric>

#include "converter/legalize/context/building_blocks.h"
#include "runtime/ops/broadcast_to.h"
#include "runtime/ops/gather.h"
#include "runtime/ops/pad.h"
#include "runtime/ops/reshape.h"
#include "runtime/ops/shape_of.h"
#include "runtime/ops/slice.h"
#include "runtime/ops/where.h"

namespace linnet::converter {
namespace {

// A product of extents: a number, and those that vary divided by their content. Extents that are
// products are taken apart.
struct Factors {
  int64_t constant = 1;
  Extents varying;
};

Factors FactorsOf(const LegalizeContext& context, const Extents& extents) {
  Factors factors;
  Quotient product = {extents, 1};
  const bool has_zero = std::ranges::find(extents, Extent(0)) != extents.end();
  if (!extents.empty() && !has_zero) product = ReducedQuotient(context.symbols(), product);
  if (product.divisor != 1) product = {extents, 1};
  for (const Extent& factor : product.factors) {
    const Extent extent = context.symbols().Canonical(factor);
    const int64_t content = extent.is_constant() ? extent.constant() : Content(extent);
    factors.constant = SaturatingMul(factors.constant, content);
    if (!extent.is_constant()) factors.varying.push_back(Divided(extent, content));
  }
  return factors;
}

// The number of x's elements for each that the `others` of a shape make, computed in each run: the
// product of x's dimensions without those that vary and are among the others, divided by the rest.
absl::StatusOr<Extent> ComputedExtent(LegalizeContext& context, Output x, const Extents& others) {
  const Extents from = context.extents(x);
  std::vector<int64_t> dims(from.size());
  std::iota(dims.begin(), dims.end(), 0);
  int64_t divisor = 1;
  for (const Extent& other : others) {
    if (other.is_constant()) {
      divisor = SaturatingMul(divisor, other.constant());
      continue;
    }
    const auto same = std::ranges::find_if(dims, [&](int64_t d) {
      return context.symbols().Equal(from[static_cast<size_t>(d)], other);
    });
    if (same == dims.end())
      return Unsupported("what -1 stands for beside {} is no product of what varies in {}",
                         context.symbols().Text(others), context.symbols().Text(from));
    dims.erase(same);
  }
  constexpr int64_t kMost = int64_t{1} << 40;  // no tensor has more elements
  if (divisor > kMost) return Invalid("{} are too many elements", context.symbols().Text(others));
  const Emitted shape = EmitShapeOf(context, DType::kInt64, x, "missing/shape");
  const Output kept = context.AddVector(std::move(dims), "missing/dims");
  const Emitted sizes = context.Emit(GatherAttrs{.axis = 0}, {shape, kept}, "missing/sizes");
  Emitted extent = EmitReduce(context, ReduceKind::Prod, {0}, false, sizes, "missing/elements");
  if (divisor > 1)
    extent =
        EmitBinary(context, BinaryKind::FloorDiv, extent, static_cast<double>(divisor), "missing");
  if (!extent.ok()) return extent.status();
  LINNET_ASSIGN_OR_RETURN(const Extents extents, context.ExtentValues(*extent, "shape"));
  return extents[0];
}

// Emits an op whose result has the extents in attribute `shape`.
template <typename Attrs>
Emitted EmitShaped(LegalizeContext& context, const Extents& extents, const Emitted& x,
                   std::string_view suffix) {
  if (!x.ok() || HasExtents(context, *x, extents)) return x;
  LINNET_ASSIGN_OR_RETURN(const OpAttrs varying, WithShape(context, Attrs(), extents));
  return context.Emit(varying, {x}, suffix);
}

}  // namespace

bool HasExtents(const LegalizeContext& context, Output x, const Extents& extents) {
  return std::ranges::equal(context.extents(x), extents, [&](const Extent& a, const Extent& b) {
    return context.symbols().Equal(a, b);
  });
}

bool MayBeEqual(const Extent& a, const Extent& b) {
  return a == b || !a.is_constant() || !b.is_constant();
}

std::optional<Extent> DividedExactly(const LegalizeContext& context, const Extent& extent,
                                     int64_t divisor) {
  const Extent canonical = context.symbols().Canonical(extent);
  if (Content(canonical) % divisor != 0) return std::nullopt;
  return Divided(canonical, divisor);
}

absl::Status OnlyBatchVaries(const LegalizeContext& context) {
  LINNET_RETURN_IF_ERROR(context.WantRank(0, 4));
  const Extents extents = context.extents(0);
  for (const size_t axis : {1, 2, 3})
    if (!extents[axis].is_constant())
      return Unsupported("pictures of {}, whose batch alone may vary here",
                         context.symbols().Text(extents));
  return absl::OkStatus();
}

absl::StatusOr<Shape> LargestShape(const LegalizeContext& context, const Extents& extents) {
  std::vector<int64_t> dims;
  for (const Extent& extent : extents) dims.push_back(context.symbols().Largest(extent));
  return CheckedShape(dims);
}

absl::StatusOr<Shape> LargestPicture(const LegalizeContext& context, const Extents& size) {
  const auto fits = [&](const Extent& extent) {
    const int64_t largest = context.symbols().Largest(extent);
    return largest >= 1 && largest <= std::numeric_limits<int>::max();
  };
  if (size.size() != 2 || !std::ranges::all_of(size, fits))
    return Invalid("the size of the result is {}, want a positive height and width",
                   context.symbols().Text(size));
  return LargestShape(context, size);
}

absl::StatusOr<Extents> AttributeExtents(LegalizeContext& context, int i, const char* what) {
  LINNET_ASSIGN_OR_RETURN(Extents extents, context.ExtentValues(i, what));
  const SymbolTable& symbols = context.symbols();
  const SymbolTable::Values largest = symbols.Largest();
  for (size_t k = 0; k < extents.size(); ++k) {
    if (extents[k].is_constant() || symbols.Value(extents[k], largest) >= 0) continue;
    const int64_t least = std::max<int64_t>(0, symbols.TightMin(extents[k]));
    const int64_t most = std::max<int64_t>(least, symbols.TightMax(extents[k]));
    extents[k] = context.SymbolOf(context.input(i), static_cast<int>(k), least, most);
  }
  return extents;
}

void Vary(const Extents& extents, int first_slot, OpAttrs* attrs) {
  for (size_t i = 0; i < extents.size(); ++i)
    if (!extents[i].is_constant()) attrs->Vary(first_slot + static_cast<int>(i), extents[i]);
}

Emitted EmitReshape(LegalizeContext& context, const Extents& extents, const Emitted& x,
                    std::string_view suffix) {
  return EmitShaped<ReshapeAttrs>(context, extents, x, suffix);
}

Emitted EmitBroadcastTo(LegalizeContext& context, const Extents& extents, const Emitted& x,
                        std::string_view suffix) {
  return EmitShaped<BroadcastToAttrs>(context, extents, x, suffix);
}

Emitted EmitSlice(LegalizeContext& context, const Extents& begin, const Extents& size,
                  const Shape& stride, const Emitted& x, std::string_view suffix) {
  if (!x.ok()) return x;
  if (AllConstant(begin) && AllConstant(size) && !context.Varies(*x)) {
    LINNET_ASSIGN_OR_RETURN(const Shape first, LargestShape(context, begin));
    LINNET_ASSIGN_OR_RETURN(const Shape count, LargestShape(context, size));
    return EmitSlice(context, first, count, stride, x, suffix);
  }
  if (stride == Filled(stride.rank(), 1) && HasExtents(context, *x, size)) return x;
  SliceAttrs attrs;
  LINNET_ASSIGN_OR_RETURN(attrs.begin, LargestShape(context, begin));
  LINNET_ASSIGN_OR_RETURN(attrs.size, LargestShape(context, size));
  attrs.stride = stride;
  OpAttrs varying = attrs;
  Vary(size, 0, &varying);
  Vary(begin, SliceAttrs::kBeginSlot, &varying);
  return context.Emit(varying, {x}, suffix);
}

Emitted EmitMargins(LegalizeContext& context, const Extents& before, const Extents& after,
                    const Emitted& x, std::string_view suffix) {
  PadAttrs attrs;
  LINNET_ASSIGN_OR_RETURN(attrs.before, LargestShape(context, before));
  LINNET_ASSIGN_OR_RETURN(attrs.after, LargestShape(context, after));
  if (AllConstant(before) && AllConstant(after))
    return EmitPad(context, attrs.before, attrs.after, x, suffix);
  OpAttrs varying = attrs;
  Vary(before, 0, &varying);
  Vary(after, PadAttrs::kAfterSlot, &varying);
  return context.Emit(varying, {x}, suffix);
}

Emitted EmitCutTo(LegalizeContext& context, const Extents& size, const Emitted& x,
                  std::string_view suffix) {
  const int rank = static_cast<int>(size.size());
  return EmitSlice(context, Extents(size.size()), size, Filled(rank, 1), x, suffix);
}

Emitted EmitFirst(LegalizeContext& context, const Extent& count, const Emitted& x,
                  std::string_view suffix) {
  if (!x.ok()) return x;
  Extents size = context.extents(*x);
  size[0] = count;
  return EmitCutTo(context, size, x, suffix);
}

Emitted EmitFlat(LegalizeContext& context, const Emitted& x, std::string_view suffix) {
  if (!x.ok()) return x;
  LINNET_ASSIGN_OR_RETURN(const Extents flat, FillMissingExtent(context, *x, {-1}));
  return EmitReshape(context, flat, x, suffix);
}

Emitted EmitWhere(LegalizeContext& context, const Emitted& x, std::string_view suffix) {
  if (!x.ok()) return x;
  // Two Wheres of x would get a symbol each for the same number, so an earlier one is used again.
  for (const Edge* use : x->node->Uses(x->index)) {
    if (!use->dst->Is<WhereAttrs>()) continue;
    for (const Edge* found : use->dst->Uses(0))
      if (found->dst->Is<SliceAttrs>()) return Output{found->dst, 0};
  }
  const std::string all = suffix.empty() ? "all" : fmt::format("{}/all", suffix);
  LINNET_ASSIGN_OR_RETURN(const std::vector<Output> found, context.EmitAll(WhereAttrs(), {x}, all));
  const Extent count = context.SymbolOf(found[1], 0, 0, context.shape(*x).num_elements());
  return EmitFirst(context, count, found[0], suffix);
}

Emitted EmitShapeOf(LegalizeContext& context, DType dtype, const Emitted& x,
                    std::string_view suffix) {
  return context.Emit(ShapeOfAttrs{.dtype = dtype}, {x}, suffix);
}

std::vector<int64_t> Constants(const Extents& extents) {
  std::vector<int64_t> constants;
  for (const Extent& extent : extents) constants.push_back(extent.constant());
  return constants;
}

absl::StatusOr<Extents> ReshapedExtents(const LegalizeContext& context, Output x,
                                        const Shape& shape) {
  const Extents from = context.extents(x);
  Extents to(shape.begin(), shape.end());
  const auto unclear = [&] {
    return Unsupported("cannot tell which of {} varies where {} is reshaped to it",
                       ShapeText(shape), context.symbols().Text(from));
  };
  // A dimension of x and one of `shape` pair up if the product of the dimensions before each is the
  // same. One that varies must have a partner of its size.
  int64_t before = 1;
  for (size_t i = 0; i < from.size(); ++i) {
    const int64_t largest = context.shape(x)[static_cast<int>(i)];
    if (!from[i].is_constant()) {
      int64_t before_partner = 1;
      int partner = 0;
      while (partner < shape.rank() &&
             (before_partner != before || shape[partner] != largest || !to[partner].is_constant()))
        before_partner = SaturatingMul(before_partner, shape[partner++]);
      if (partner == shape.rank() || largest == 0) return unclear();
      to[static_cast<size_t>(partner)] = from[i];
    }
    before = SaturatingMul(before, largest);
  }
  return to;
}

absl::StatusOr<Extents> FillMissingExtent(LegalizeContext& context, Output x, Extents wanted) {
  const auto missing = std::ranges::find(wanted, Extent(-1));
  if (missing == wanted.end()) return wanted;
  Factors left = FactorsOf(context, context.extents(x));
  *missing = 1;
  const Factors known = FactorsOf(context, wanted);
  for (const Extent& extent : known.varying) {
    const auto same = std::ranges::find(left.varying, extent);
    if (same == left.varying.end())
      return Unsupported("what -1 stands for in {} does not follow from {}",
                         context.symbols().Text(wanted),
                         context.symbols().Text(context.extents(x)));
    left.varying.erase(same);
  }
  if (known.constant <= 0)
    return Unsupported("what -1 stands for beside {} is not known", context.symbols().Text(wanted));
  if (left.varying.size() <= 1 && left.constant % known.constant == 0) {
    const Extent rest = left.varying.empty() ? Extent(1) : left.varying[0];
    *missing = rest * (left.constant / known.constant);
  } else {
    LINNET_ASSIGN_OR_RETURN(*missing, ComputedExtent(context, x, wanted));
  }
  return wanted;
}

}  // namespace linnet::converter
