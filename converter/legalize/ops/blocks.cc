// SPDX-License-Identifier: Apache-2.0
// Ops that move blocks of pixels into the channels or into the batch, and back.
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
  std::vector<int64_t> sizes, before, after;
  int64_t product = 1;
  int count() const { return static_cast<int>(sizes.size()); }
};

// The ND ops have the block sizes as input 1 and the paddings as input 2. The older ones have one
// block size, an attribute, and the paddings of height and width as input 1.
absl::StatusOr<Blocks> GetBlocks(const LegalizeContext& context, const char* pads_name) {
  Blocks blocks;
  const bool nd = context.num_inputs() == 3;
  if (nd) {
    LINNET_ASSIGN_OR_RETURN(blocks.sizes, context.ConstantInts(1, "block_shape"));
  } else {
    LINNET_ASSIGN_OR_RETURN(const int64_t size, context.Int("block_size", 0));
    blocks.sizes = {size, size};
  }
  LINNET_ASSIGN_OR_RETURN(const std::vector<int64_t> pads,
                          context.ConstantInts(nd ? 2 : 1, pads_name));
  if (pads.size() != 2 * blocks.sizes.size())
    return Invalid("'{}' has {} values, want 2 for each of {} blocks", pads_name, pads.size(),
                   blocks.sizes.size());
  if (context.shape(0).rank() <= blocks.count())
    return Invalid("{} blocks for an input of shape {}", blocks.count(),
                   ShapeText(context.shape(0)));
  if (context.shape(0).rank() + blocks.count() > kMaxRank)
    return Unsupported("rank {} with {} blocks", context.shape(0).rank(), blocks.count());
  for (size_t i = 0; i < blocks.sizes.size(); ++i) {
    if (blocks.sizes[i] < 1 || pads[2 * i] < 0 || pads[2 * i + 1] < 0 ||
        !CheckedMul(blocks.product, blocks.sizes[i], &blocks.product))
      return Invalid("blocks [{}] with '{}' [{}]", fmt::join(blocks.sizes, ","), pads_name,
                     fmt::join(pads, ","));
    blocks.before.push_back(pads[2 * i]);
    blocks.after.push_back(pads[2 * i + 1]);
  }
  return blocks;
}

// [N, D..., rest] -> [N, D/b, b, ..., rest] -> [b..., N, D/b..., rest] -> [prod(b) N, D/b...,
// rest].
absl::Status SpaceToBatch(LegalizeContext& context) {
  LINNET_ASSIGN_OR_RETURN(const Blocks blocks, GetBlocks(context, "paddings"));
  const int rank = context.shape(0).rank(), count = blocks.count();
  Shape before = Filled(rank, 0), after = Filled(rank, 0);
  for (int i = 0; i < count; ++i) {
    before[i + 1] = blocks.before[i];
    after[i + 1] = blocks.after[i];
  }
  LINNET_ASSIGN_OR_RETURN(const Output x, EmitPad(context, before, after, context.input(0), "Pad"));
  const Shape padded = context.shape(x);
  const Shape rest = SubShape(padded, count + 1, rank);
  Shape split = {padded[0]}, perm, result = {padded[0]};
  if (!CheckedMul(padded[0], blocks.product, &result[0])) return Invalid("blocks are too large");
  for (int i = 0; i < count; ++i) {
    if (padded[i + 1] % blocks.sizes[i] != 0)
      return Invalid("dimension {} has {} elements with its padding, no multiple of block {}",
                     i + 1, padded[i + 1], blocks.sizes[i]);
    split.Append(padded[i + 1] / blocks.sizes[i]);
    split.Append(blocks.sizes[i]);
    perm.Append(2 * i + 2);
    result.Append(padded[i + 1] / blocks.sizes[i]);
  }
  perm.Append(0);
  for (int i = 0; i < count; ++i) perm.Append(2 * i + 1);
  for (int i = 0; i < rest.rank(); ++i) perm.Append(2 * count + 1 + i);
  Emitted y = EmitReshape(context, Concatenated(split, rest), x, "blocks");
  y = EmitTranspose(context, perm, y, "batch_of_blocks");
  return context.Replace(EmitReshape(context, Concatenated(result, rest), y));
}

// The inverse: [prod(b) N, D..., rest] -> [b..., N, D..., rest] -> [N, D, b, ..., rest] -> crop.
absl::Status BatchToSpace(LegalizeContext& context) {
  LINNET_ASSIGN_OR_RETURN(const Blocks blocks, GetBlocks(context, "crops"));
  const Shape shape = context.shape(0);
  const int rank = shape.rank(), count = blocks.count();
  if (shape[0] % blocks.product != 0)
    return Invalid("batch {} is no multiple of the blocks' product {}", shape[0], blocks.product);
  const int64_t batch = shape[0] / blocks.product;
  const Shape rest = SubShape(shape, count + 1, rank);
  Shape split = Shape(blocks.sizes), perm = {count}, joined = {batch};
  Shape begin = {0}, size = {batch};
  split.Append(batch);
  for (int i = 0; i < count; ++i) {
    split.Append(shape[i + 1]);
    perm.Append(count + 1 + i);
    perm.Append(i);
    joined.Append(shape[i + 1]);
    if (!CheckedMul(shape[i + 1], blocks.sizes[i], &joined[i + 1]))
      return Invalid("blocks are too large");
    const int64_t left = joined[i + 1] - blocks.before[i] - blocks.after[i];
    if (blocks.before[i] > joined[i + 1] || left < 0)
      return Invalid("'crops' leave nothing of dimension {}", i + 1);
    begin.Append(left == 0 ? 0 : blocks.before[i]);
    size.Append(left);
  }
  for (int i = 0; i < rest.rank(); ++i) {
    perm.Append(2 * count + 1 + i);
    begin.Append(0);
  }
  Emitted x = EmitReshape(context, Concatenated(split, rest), context.input(0), "blocks");
  x = EmitTranspose(context, perm, x, "space_of_blocks");
  x = EmitReshape(context, Concatenated(joined, rest), x, "space");
  return context.Replace(EmitSlice(context, begin, Concatenated(size, rest), x));
}

}  // namespace

std::span<const TfOp> BlockOps() {
  static constexpr TfOp kRows[] = {
      {"BatchToSpace", BatchToSpace, "Reshape, Transpose, Slice; crops known"},
      {"BatchToSpaceND", BatchToSpace, "Reshape, Transpose, Slice; blocks and crops known"},
      {"DepthToSpace", DepthAndSpace<DepthToSpaceAttrs>, "DepthToSpace", kMayVary},
      {"SpaceToBatch", SpaceToBatch, "Pad, Reshape, Transpose; paddings known"},
      {"SpaceToBatchND", SpaceToBatch, "Pad, Reshape, Transpose; blocks and paddings known"},
      {"SpaceToDepth", DepthAndSpace<SpaceToDepthAttrs>, "SpaceToDepth", kMayVary},
  };
  return kRows;
}

}  // namespace linnet::converter
