// SPDX-License-Identifier: Apache-2.0
// Einsum of one or two operands as transposes, reshapes, sums and one matrix product.
#include <algorithm>
#include <map>
#include <span>

#include "converter/legalize/context/building_blocks.h"
#include "converter/legalize/context/tf_op.h"
#include "converter/legalize/context/varying.h"
#include "converter/legalize/ops/einsum_equation.h"
#include "runtime/ops/batch_matmul.h"
#include "runtime/ops/fully_connected.h"
#include "runtime/ops/gather.h"

namespace linnet::converter {
namespace {

using Labels = std::vector<int>;
using LabelExtents = std::map<int, Extent>;

struct Operand {
  Output value;
  Labels labels;
};

Labels JoinedLabels(std::initializer_list<const Labels*> parts) {
  Labels all;
  for (const Labels* part : parts) all.insert(all.end(), part->begin(), part->end());
  return all;
}

Labels WithoutRepeats(const Labels& labels) {
  Labels unique;
  for (const int label : labels)
    if (!Contains(unique, label)) unique.push_back(label);
  return unique;
}

// Calls visit(at) for each element of a dense tensor over `labels`, in order; `at` is the position
// along each label.
template <typename Visit>
void ForEachPosition(const Labels& labels, const std::map<int, int64_t>& sizes,
                     const Visit& visit) {
  std::map<int, int64_t> at;
  for (const int label : labels) {
    if (sizes.at(label) == 0) return;
    at[label] = 0;
  }
  while (true) {
    visit(at);
    auto label = labels.rbegin();
    while (label != labels.rend() && ++at[*label] == sizes.at(*label)) at[*label++] = 0;
    if (label == labels.rend()) return;
  }
}

// The index of the element at position `at` of a dense tensor over `labels`, which may repeat some.
int32_t OffsetOf(const Labels& labels, const std::map<int, int64_t>& sizes,
                 const std::map<int, int64_t>& at) {
  int64_t offset = 0;
  for (const int label : labels) offset = offset * sizes.at(label) + at.at(label);
  return static_cast<int32_t>(offset);
}

Emitted EmitElements(LegalizeContext& context, Output x, const std::string& name) {
  const int64_t elements = context.shape(x).num_elements();
  if (elements > kMostElements) return Unsupported("a diagonal of {} elements", elements);
  return EmitReshape(context, {elements}, x, name);
}

// Takes the diagonal of an operand that repeats labels.
absl::Status TakeDiagonal(LegalizeContext& context, int index, Operand* operand) {
  const Labels unique = WithoutRepeats(operand->labels);
  if (unique.size() == operand->labels.size()) return absl::OkStatus();
  std::vector<int32_t> from;
  std::map<int, int64_t> sizes;  // its own: those of "..." may be 1 here
  for (size_t i = 0; i < operand->labels.size(); ++i)
    sizes[operand->labels[i]] = context.shape(operand->value)[static_cast<int>(i)];
  ForEachPosition(unique, sizes,
                  [&](const auto& at) { from.push_back(OffsetOf(operand->labels, sizes, at)); });
  Shape shape;
  for (const int label : unique) shape.Append(sizes.at(label));
  const Emitted flat = EmitElements(context, operand->value, fmt::format("flat_{}", index));
  const Output indices = context.AddConstant(Constant::Of<int32_t>(shape, std::move(from)),
                                             fmt::format("diagonal_{}/indices", index));
  LINNET_ASSIGN_OR_RETURN(operand->value, context.Emit(GatherAttrs(), {flat, indices},
                                                       fmt::format("diagonal_{}", index)));
  operand->labels = unique;
  return absl::OkStatus();
}

// Puts x, over unique labels, on the diagonal of a result that repeats some; the rest is zeros.
Emitted PutOnDiagonal(LegalizeContext& context, const EinsumEquation& equation,
                      const Labels& wanted, const Emitted& x) {
  if (!x.ok()) return x;
  std::vector<int64_t> dims;
  for (const int label : wanted) dims.push_back(equation.sizes.at(label));
  LINNET_ASSIGN_OR_RETURN(const Shape shape, CheckedShape(dims));
  if (shape.num_elements() > kMostElements)
    return Unsupported("a diagonal of shape {}", ShapeText(shape));
  const Emitted flat = EmitElements(context, *x, "flat");
  const Output zero = context.AddScalar(context.type(*x).dtype, 0, "zero");
  const Emitted rest = EmitReshape(context, {1}, zero, "rest");
  const Emitted all = EmitJoined(context, {flat, rest}, 0, "elements");
  std::vector<int32_t> from(shape.num_elements(),
                            static_cast<int32_t>(context.shape(*x).num_elements()));
  int32_t next = 0;
  ForEachPosition(equation.output, equation.sizes,
                  [&](const auto& at) { from[OffsetOf(wanted, equation.sizes, at)] = next++; });
  const Output indices =
      context.AddConstant(Constant::Of<int32_t>(shape, std::move(from)), "indices");
  return context.Emit(GatherAttrs(), {all, indices});
}

// Sums over the labels that neither the output nor the other operand has.
absl::Status SumAlone(LegalizeContext& context, const EinsumEquation& equation, int index,
                      Operand* operand) {
  Shape axes;
  Labels kept;
  for (size_t i = 0; i < operand->labels.size(); ++i) {
    const int label = operand->labels[i];
    const bool in_other =
        equation.inputs.size() == 2 && Contains(equation.inputs[1 - index], label);
    if (in_other || Contains(equation.output, label)) {
      kept.push_back(label);
    } else {
      axes.Append(static_cast<int64_t>(i));
    }
  }
  if (axes.rank() == 0) return absl::OkStatus();
  LINNET_ASSIGN_OR_RETURN(operand->value, EmitReduce(context, ReduceKind::Sum, axes, false,
                                                     operand->value, fmt::format("sum_{}", index)));
  operand->labels = kept;
  return absl::OkStatus();
}

Shape PermutationTo(const Labels& from, const Labels& to) {
  Shape perm;
  for (const int label : to) perm.Append(std::ranges::find(from, label) - from.begin());
  return perm;
}

// The operand's dimensions in the order of `labels`; those that it lacks (they broadcast) have one
// element.
Emitted Arrange(LegalizeContext& context, const Operand& operand, const Labels& labels,
                const std::string& name) {
  Shape perm;
  Extents extents;
  const Extents own = context.extents(operand.value);
  for (const int label : labels) {
    const size_t axis = std::ranges::find(operand.labels, label) - operand.labels.begin();
    const bool has = axis < operand.labels.size();
    if (has) perm.Append(static_cast<int64_t>(axis));
    extents.push_back(has ? own[axis] : Extent(1));
  }
  const Emitted x = EmitTranspose(context, perm, operand.value, name);
  return EmitReshape(context, extents, x, name + "/dims");
}

// How the labels of two operands take part in the product.
struct Roles {
  Labels batch, free_a, free_b, contracted;
};

Roles GetRoles(const EinsumEquation& equation, const Operand& a, const Operand& b) {
  Roles roles;
  for (const int label : equation.output) {
    const bool in_a = Contains(a.labels, label), in_b = Contains(b.labels, label);
    // Broadcast dimensions count as batch even where one operand lacks them.
    const bool is_batch = label < 0 || (in_a && in_b);
    (is_batch ? roles.batch : in_a ? roles.free_a : roles.free_b).push_back(label);
  }
  for (const int label : a.labels)
    if (!Contains(equation.output, label)) roles.contracted.push_back(label);
  return roles;
}

// The extents of the labels after broadcasting.
LabelExtents ExtentsOf(const LegalizeContext& context, const Operand& a, const Operand& b) {
  LabelExtents all;
  for (const Operand* operand : {&a, &b}) {
    const Extents own = context.extents(operand->value);
    for (size_t i = 0; i < own.size(); ++i) {
      const auto [known, is_new] = all.insert({operand->labels[i], own[i]});
      if (!is_new && known->second == Extent(1)) known->second = own[i];
    }
  }
  return all;
}

bool CanMerge(const LabelExtents& extents, std::span<const int> labels) {
  return std::ranges::count_if(labels,
                               [&](int label) { return !extents.at(label).is_constant(); }) <= 1;
}

// The extent of several dimensions as one. At most one of them may vary: the product of two is no
// sum of symbols.
absl::StatusOr<Extent> Merged(std::span<const Extent> extents) {
  Extent merged = 1;
  for (const Extent& extent : extents) {
    if (!merged.is_constant() && !extent.is_constant())
      return Unsupported(
          "it sums over two dimensions that vary; an --input of one size fixes them");
    merged = extent.is_constant() ? merged * extent.constant() : extent * merged.constant();
  }
  return merged;
}

// Removes from `labels` those in front that cannot become one dimension with the rest.
Labels TakeUnmergeable(const LabelExtents& extents, Labels* labels) {
  auto first = labels->begin();
  while (!CanMerge(extents, {first, labels->end()})) ++first;
  Labels taken(labels->begin(), first);
  labels->erase(labels->begin(), first);
  return taken;
}

// An operand of the product as [batch..., rows, columns], or columns before rows if `transposed`.
// The batch may have been merged to one dimension.
struct Matrix {
  Output value;
  bool transposed = false;
};

// Makes a matrix of an operand; a transposed one where that saves a transpose.
absl::StatusOr<Matrix> AsMatrix(LegalizeContext& context, const Operand& operand,
                                const Labels& batch, const Labels& rows, const Labels& columns,
                                bool merge_batch, const std::string& name) {
  Matrix matrix;
  matrix.transposed = operand.labels == JoinedLabels({&batch, &columns, &rows}) && !rows.empty() &&
                      !columns.empty();
  const Labels& first = matrix.transposed ? columns : rows;
  const Labels& second = matrix.transposed ? rows : columns;
  LINNET_ASSIGN_OR_RETURN(matrix.value,
                          Arrange(context, operand, JoinedLabels({&batch, &first, &second}), name));
  const Extents own = context.extents(matrix.value);
  const std::span<const Extent> all(own), of_batch = all.first(batch.size());
  Extents dims(of_batch.begin(), of_batch.end());
  if (merge_batch) {
    LINNET_ASSIGN_OR_RETURN(const Extent merged, Merged(of_batch));
    dims = {merged};
  }
  LINNET_ASSIGN_OR_RETURN(const Extent outer, Merged(all.subspan(batch.size(), first.size())));
  LINNET_ASSIGN_OR_RETURN(const Extent inner, Merged(all.last(second.size())));
  dims.insert(dims.end(), {outer, inner});
  LINNET_ASSIGN_OR_RETURN(matrix.value, EmitReshape(context, dims, matrix.value, name + "/matrix"));
  return matrix;
}

// Brings the product, [batch, free_a, free_b], to the dimensions of the output.
Emitted Unfold(LegalizeContext& context, const EinsumEquation& equation,
               const LabelExtents& extents, const Roles& roles, const Emitted& product,
               std::string_view suffix) {
  const Labels labels = JoinedLabels({&roles.batch, &roles.free_a, &roles.free_b});
  Extents dims;
  for (const int label : labels) dims.push_back(extents.at(label));
  const Emitted x = EmitReshape(context, dims, product, "product/dims");
  return EmitTranspose(context, PermutationTo(labels, equation.output), x, suffix);
}

// Does an operand lack a dimension of "...", or have it with another extent than the result?
bool Broadcasts(const EinsumEquation& equation, const LegalizeContext& context,
                std::initializer_list<const Operand*> operands) {
  for (const Operand* operand : operands) {
    for (const auto& [label, size] : equation.sizes) {
      if (label >= 0) continue;
      const auto it = std::ranges::find(operand->labels, label);
      if (it == operand->labels.end()) return true;
      if (context.shape(operand->value)[it - operand->labels.begin()] != size) return true;
    }
  }
  return false;
}

// The product over the contracted labels as [batch..., rows, columns].
Emitted EmitMatrices(LegalizeContext& context, const Roles& roles, const Matrix& left,
                     const Matrix& right, bool is_layer) {
  if (roles.contracted.empty())
    return EmitBinary(context, BinaryKind::Mul, left.value, right.value, "product");
  if (!is_layer)
    return context.Emit(
        BatchMatMulAttrs{.transpose_a = left.transposed, .transpose_b = right.transposed},
        {left.value, right.value}, "product");
  const Emitted filter = right.transposed
                             ? Emitted(right.value)
                             : EmitTranspose(context, {1, 0}, right.value, "filter_oi");
  return context.Emit(FullyConnectedAttrs(), {left.value, filter}, "product");
}

Emitted EmitContraction(LegalizeContext& context, const EinsumEquation& equation, const Operand& a,
                        const Operand& b, std::string_view suffix) {
  const LabelExtents extents = ExtentsOf(context, a, b);
  Roles roles = GetRoles(equation, a, b);
  // Free dimensions of which too many vary are like a batch over which the other operand
  // broadcasts.
  const Labels own_batch = roles.batch;
  const Labels of_a = TakeUnmergeable(extents, &roles.free_a);
  const Labels of_b = TakeUnmergeable(extents, &roles.free_b);
  roles.batch = JoinedLabels({&own_batch, &of_a, &of_b});
  const bool merge_batch = roles.batch == own_batch && !own_batch.empty() &&
                           CanMerge(extents, own_batch) && !Broadcasts(equation, context, {&a, &b});
  const size_t rank = (merge_batch ? 1 : roles.batch.size()) + 2;
  const size_t widest = roles.batch.size() + std::max(roles.free_a.size(), roles.free_b.size()) +
                        roles.contracted.size();
  if (rank > kMaxRank || widest > kMaxRank)
    return Unsupported("a product of rank {} is more than the {} dimensions that Linnet has",
                       std::max(rank, widest), kMaxRank);
  LINNET_ASSIGN_OR_RETURN(const Matrix left, AsMatrix(context, a, roles.batch, roles.free_a,
                                                      roles.contracted, merge_batch, "a"));
  // A constant operand without a batch of its own can be a layer's filter, which needs none.
  const bool may_be_layer = own_batch.empty() && of_b.empty() && !left.transposed &&
                            !roles.contracted.empty() && context.FindConstant(b.value) != nullptr &&
                            context.type(b.value).dtype == DType::kFloat32;
  LINNET_ASSIGN_OR_RETURN(const Matrix right,
                          AsMatrix(context, b, may_be_layer ? own_batch : roles.batch,
                                   roles.contracted, roles.free_b, merge_batch, "b"));
  const bool is_layer = may_be_layer && context.FindConstant(right.value) != nullptr;
  const Emitted product = EmitMatrices(context, roles, left, right, is_layer);
  return Unfold(context, equation, extents, roles, product, suffix);
}

Emitted TwoOperands(LegalizeContext& context, const EinsumEquation& equation,
                    std::string_view suffix) {
  Operand a{context.input(0), equation.inputs[0]}, b{context.input(1), equation.inputs[1]};
  LINNET_RETURN_IF_ERROR(TakeDiagonal(context, 0, &a));
  LINNET_RETURN_IF_ERROR(TakeDiagonal(context, 1, &b));
  LINNET_RETURN_IF_ERROR(SumAlone(context, equation, 0, &a));
  LINNET_RETURN_IF_ERROR(SumAlone(context, equation, 1, &b));
  // A constant goes to the right, where it can be a layer's filter.
  if (context.FindConstant(a.value) != nullptr && context.FindConstant(b.value) == nullptr)
    std::swap(a, b);
  return EmitContraction(context, equation, a, b, suffix);
}

Emitted OneOperand(LegalizeContext& context, const EinsumEquation& equation,
                   std::string_view suffix) {
  Operand x{context.input(0), equation.inputs[0]};
  LINNET_RETURN_IF_ERROR(TakeDiagonal(context, 0, &x));
  LINNET_RETURN_IF_ERROR(SumAlone(context, equation, 0, &x));
  return EmitTranspose(context, PermutationTo(x.labels, equation.output), x.value, suffix);
}

absl::Status Einsum(LegalizeContext& context) {
  LINNET_ASSIGN_OR_RETURN(const std::string& text, context.String("equation", ""));
  std::vector<Shape> shapes;
  shapes.reserve(context.num_inputs());
  for (int i = 0; i < context.num_inputs(); ++i) shapes.push_back(context.shape(i));
  LINNET_ASSIGN_OR_RETURN(EinsumEquation equation, ParseEinsum(text, shapes));
  if (context.num_inputs() > 2)
    return Unsupported("{} operands, want one or two", context.num_inputs());
  const Labels wanted = equation.output;
  equation.output = WithoutRepeats(wanted);
  const bool repeats = equation.output.size() < wanted.size();
  const std::string_view suffix = repeats ? "without_repeats" : "";
  const Emitted y = context.num_inputs() == 1 ? OneOperand(context, equation, suffix)
                                              : TwoOperands(context, equation, suffix);
  return context.Replace(repeats ? PutOnDiagonal(context, equation, wanted, y) : y);
}

}  // namespace

std::span<const TfOp> EinsumOps() {
  static constexpr TfOp kRows[] = {
      {"Einsum", Einsum,
       "Transpose, Reshape, Reduce, BatchMatMul or FullyConnected; diagonals: Gather", kMayVary},
  };
  return kRows;
}

}  // namespace linnet::converter
