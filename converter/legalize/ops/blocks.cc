// SPDX-License-Identifier: Apache-2.0
// Ops that move blocks of pixels into the channels or into the batch, and back.
#include <algorithm>

#include "converter/legalize/context/building_blocks.h"
#include "converter/legalize/context/tf_op.h"
#include "converter/legalize/context/varying.h"
#include "runtime/ops/depth_to_space.h"
#include "runtime/ops/space_to_depth.h"

namespace linnet::converter {
namespace {

// DepthToSpace of extents that vary, which the op itself does not take:
// [N, H, W, bbC] -> [N, H, W, b, b, C] -> [N, H, b, W, b, C] -> [N, bH, bW, C].
Emitted EmitVaryingSpace(LegalizeContext& context, int64_t block, const Emitted& x,
                         std::string_view suffix) {
  if (!x.ok()) return x;
  const Extents from = context.extents(*x);
  if (!from[3].is_constant() || from[3].constant() % (block * block) != 0)
    return Invalid("{} channels are no multiple of {} x {}", context.symbols().Text(from[3]), block,
                   block);
  const Extent channels = from[3].constant() / (block * block);
  const Extents split = {from[0], from[1], from[2], block, block, channels};
  const Extents joined = {from[0], from[1] * block, from[2] * block, channels};
  Emitted y = EmitReshape(context, split, x, "blocks");
  y = EmitTranspose(context, {0, 1, 3, 2, 4, 5}, y, "rows_of_blocks");
  return EmitReshape(context, joined, y, suffix);
}

// SpaceToDepth likewise: [N, bH, bW, C] -> [N, H, b, W, b, C] -> [N, H, W, b, b, C] -> [N, H, W,
// bbC].
Emitted EmitVaryingDepth(LegalizeContext& context, int64_t block, const Emitted& x,
                         std::string_view suffix) {
  if (!x.ok()) return x;
  const Extents from = context.extents(*x);
  const std::optional<Extent> rows = DividedExactly(context, from[1], block);
  const std::optional<Extent> columns = DividedExactly(context, from[2], block);
  if (!rows || !columns || !from[3].is_constant())
    return Unsupported("pictures of {}, whose height and width are not multiples of {} in each run",
                       context.symbols().Text(from), block);
  const Extents split = {from[0], *rows, block, *columns, block, from[3]};
  const Extents joined = {from[0], *rows, *columns, from[3] * (block * block)};
  Emitted y = EmitReshape(context, split, x, "blocks");
  y = EmitTranspose(context, {0, 1, 3, 2, 4, 5}, y, "columns_of_blocks");
  return EmitReshape(context, joined, y, suffix);
}

template <typename Attrs>
absl::Status DepthAndSpace(LegalizeContext& context) {
  LINNET_RETURN_IF_ERROR(context.WantRank(0, 4));
  LINNET_ASSIGN_OR_RETURN(const DataFormat format, GetDataFormat(context));
  LINNET_ASSIGN_OR_RETURN(const int64_t block, context.Int("block_size", 0));
  if (block < 1 || block > 1 << 15) return Invalid("attr 'block_size' is {}", block);
  const Attrs attrs{.block = static_cast<int>(block)};
  const Emitted x = ToChannelsLast(context, format, context.input(0));
  const std::string suffix = ChannelsLastSuffix(format, "");
  constexpr auto kEmitVarying =
      std::is_same_v<Attrs, DepthToSpaceAttrs> ? EmitVaryingSpace : EmitVaryingDepth;
  const Emitted y = context.Varies(0) ? kEmitVarying(context, block, x, suffix)
                                      : context.Emit(attrs, {x}, suffix);
  return context.Replace(FromChannelsLast(context, format, y));
}

// The sizes of blocks, and the paddings or crops, along dimensions 1, 2, ...
struct Blocks {
  std::vector<int64_t> sizes;
  Extents before, after;
  int64_t product = 1;
  size_t count() const { return sizes.size(); }
};

absl::Status CheckBlocks(const LegalizeContext& context, const Extents& pads, const char* pads_name,
                         Blocks* blocks) {
  const int rank = context.shape(0).rank();
  const auto count = static_cast<int>(blocks->count());
  if (pads.size() != 2 * blocks->count())
    return Invalid("'{}' has {} values, want 2 for each of {} blocks", pads_name, pads.size(),
                   count);
  if (rank <= count)
    return Invalid("{} blocks for an input of shape {}", count, ShapeText(context.shape(0)));
  if (rank + count > kMaxRank) return Unsupported("rank {} with {} blocks", rank, count);
  const auto is_negative = [&](const Extent& pad) { return context.symbols().TightMax(pad) < 0; };
  for (const int64_t size : blocks->sizes)
    if (size < 1 || !CheckedMul(blocks->product, size, &blocks->product) ||
        std::ranges::any_of(pads, is_negative))
      return Invalid("blocks [{}] with '{}' {}", fmt::join(blocks->sizes, ","), pads_name,
                     context.symbols().Text(pads));
  return absl::OkStatus();
}

// The ND ops have the block sizes as input 1 and the paddings as input 2. The older ones have one
// block size, an attribute, and the paddings of height and width as input 1.
absl::StatusOr<Blocks> GetBlocks(LegalizeContext& context, const char* pads_name) {
  Blocks blocks;
  const bool nd = context.num_inputs() == 3;
  if (nd) {
    LINNET_ASSIGN_OR_RETURN(blocks.sizes, context.ConstantInts(1, "block_shape"));
  } else {
    LINNET_ASSIGN_OR_RETURN(const int64_t size, context.Int("block_size", 0));
    blocks.sizes = {size, size};
  }
  LINNET_ASSIGN_OR_RETURN(const Extents pads, AttributeExtents(context, nd ? 2 : 1, pads_name));
  LINNET_RETURN_IF_ERROR(CheckBlocks(context, pads, pads_name, &blocks));
  for (size_t i = 0; i < blocks.count(); ++i) {
    blocks.before.push_back(pads[2 * i]);
    blocks.after.push_back(pads[2 * i + 1]);
  }
  return blocks;
}

Extents Joined(Extents first, const Extents& all, size_t from) {
  first.insert(first.end(), all.begin() + static_cast<int64_t>(from), all.end());
  return first;
}

// [N, D..., rest] -> [N, D/b, b, ..., rest] -> [b..., N, D/b..., rest] -> [prod(b) N, D/b...,
// rest].
absl::Status SpaceToBatch(LegalizeContext& context) {
  LINNET_ASSIGN_OR_RETURN(const Blocks blocks, GetBlocks(context, "paddings"));
  const auto rank = static_cast<size_t>(context.shape(0).rank()), count = blocks.count();
  Extents before(rank), after(rank);
  for (size_t i = 0; i < count; ++i) {
    before[i + 1] = blocks.before[i];
    after[i + 1] = blocks.after[i];
  }
  LINNET_ASSIGN_OR_RETURN(const Output x,
                          EmitMargins(context, before, after, context.input(0), "Pad"));
  const Extents padded = context.extents(x);
  Extents split = {padded[0]}, result = {padded[0] * blocks.product};
  Shape perm;
  for (size_t i = 0; i < count; ++i) {
    const std::optional<Extent> blocks_of = DividedExactly(context, padded[i + 1], blocks.sizes[i]);
    if (!blocks_of && !padded[i + 1].is_constant())
      return Unsupported(
          "dimension {} has {} elements with its padding, which are not known to be "
          "a multiple of block {} in each run",
          i + 1, context.symbols().Text(padded[i + 1]), blocks.sizes[i]);
    if (!blocks_of)
      return Invalid("dimension {} has {} elements with its padding, no multiple of block {}",
                     i + 1, context.symbols().Text(padded[i + 1]), blocks.sizes[i]);
    split.push_back(*blocks_of);
    split.push_back(blocks.sizes[i]);
    perm.Append(static_cast<int64_t>(2 * i + 2));
    result.push_back(*blocks_of);
  }
  perm.Append(0);
  for (size_t i = 0; i < count; ++i) perm.Append(static_cast<int64_t>(2 * i + 1));
  for (size_t i = count + 1; i < rank; ++i) perm.Append(static_cast<int64_t>(count + i));
  Emitted y = EmitReshape(context, Joined(split, padded, count + 1), x, "blocks");
  y = EmitTranspose(context, perm, y, "batch_of_blocks");
  return context.Replace(EmitReshape(context, Joined(result, padded, count + 1), y));
}

// The inverse: [prod(b) N, D..., rest] -> [b..., N, D..., rest] -> [N, D, b, ..., rest] -> crop.
absl::Status BatchToSpace(LegalizeContext& context) {
  LINNET_ASSIGN_OR_RETURN(const Blocks blocks, GetBlocks(context, "crops"));
  const Extents from = context.extents(0);
  const size_t rank = from.size(), count = blocks.count();
  const std::optional<Extent> batch = DividedExactly(context, from[0], blocks.product);
  if (!batch && !from[0].is_constant())
    return Unsupported(
        "batch {} is not known to be a multiple of the blocks' product {} in each run",
        context.symbols().Text(from[0]), blocks.product);
  if (!batch)
    return Invalid("batch {} is no multiple of the blocks' product {}",
                   context.symbols().Text(from[0]), blocks.product);
  Extents split(blocks.sizes.begin(), blocks.sizes.end());
  split.push_back(*batch);
  Extents joined = {*batch}, begin(rank), size = {*batch};
  Shape perm = {static_cast<int64_t>(count)};
  for (size_t i = 0; i < count; ++i) {
    const Extent side = from[i + 1] * blocks.sizes[i];
    const Extent left = side - blocks.before[i] - blocks.after[i];
    if (context.symbols().TightMax(left) < 0)
      return Invalid("'crops' leave nothing of dimension {}", i + 1);
    split.push_back(from[i + 1]);
    perm.Append(static_cast<int64_t>(count + 1 + i));
    perm.Append(static_cast<int64_t>(i));
    joined.push_back(side);
    begin[i + 1] = left == Extent(0) ? Extent(0) : blocks.before[i];
    size.push_back(left);
  }
  for (size_t i = count + 1; i < rank; ++i) perm.Append(static_cast<int64_t>(count + i));
  Emitted x = EmitReshape(context, Joined(split, from, count + 1), context.input(0), "blocks");
  x = EmitTranspose(context, perm, x, "space_of_blocks");
  x = EmitReshape(context, Joined(joined, from, count + 1), x, "space");
  const Shape ones = Filled(static_cast<int>(rank), 1);
  return context.Replace(EmitSlice(context, begin, Joined(size, from, count + 1), ones, x));
}

}  // namespace

std::span<const TfOp> BlockOps() {
  static constexpr TfOp kRows[] = {
      {"BatchToSpace", BatchToSpace, "Reshape, Transpose, Slice; crops known or bounded", kMayVary},
      {"BatchToSpaceND", BatchToSpace,
       "Reshape, Transpose, Slice; blocks known, crops known or bounded", kMayVary},
      {"DepthToSpace", DepthAndSpace<DepthToSpaceAttrs>, "DepthToSpace", kMayVary},
      {"SpaceToBatch", SpaceToBatch, "Pad, Reshape, Transpose; paddings known or bounded",
       kMayVary},
      {"SpaceToBatchND", SpaceToBatch,
       "Pad, Reshape, Transpose; blocks known, paddings known or bounded", kMayVary},
      {"SpaceToDepth", DepthAndSpace<SpaceToDepthAttrs>, "SpaceToDepth", kMayVary},
  };
  return kRows;
}

}  // namespace linnet::converter
