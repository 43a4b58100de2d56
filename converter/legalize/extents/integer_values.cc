// SPDX-License-Identifier: Apache-2.0
#include "converter/legalize/extents/integer_values.h"

#include <algorithm>
#include <numeric>

#include "converter/pass/evaluate_op.h"
#include "fmt/format.h"
#include "runtime/ops/all_attrs.h"

namespace linnet::converter {
namespace {

using Elements = IntegerValues::Elements;
using schema::BinaryKind;
using schema::CompareKind;
using schema::ReduceKind;
using schema::UnaryKind;

bool IsSmallInteger(const TensorType& type) {
  return (type.dtype == DType::kInt32 || type.dtype == DType::kInt64) &&
         type.shape.num_elements() <= IntegerValues::kMaxElements;
}

// Computes the elements of a node's only output from those of its inputs. `inputs` has null for
// inputs that the rule of the op does not read.
class ElementRule {
 public:
  ElementRule(Graph& graph, Node* node, std::vector<const Elements*> inputs)
      : graph_(graph), node_(*node), inputs_(std::move(inputs)) {}

  std::optional<Elements> Run() {
    if (node_.Has(kMovesElements)) return Moved(node_.attrs());
    if (node_.Is<GatherAttrs>()) return Gathered();
    if (node_.Is<CastAttrs>()) return *inputs_[0];
    if (node_.Is<UnaryAttrs>()) return Negated();
    if (node_.Is<BinaryAttrs>()) return Combined();
    if (node_.Is<SelectAttrs>()) return Selected();
    if (node_.Is<ReduceAttrs>()) return Reduced();
    return std::nullopt;
  }

 private:
  // Elements may be symbols, on which no op can run. So the op runs on their positions in `all`
  // instead: the positions in its result say which elements the output consists of.
  std::optional<Elements> Moved(const OpAttrs& attrs) {
    if (!attrs.varying().empty()) return std::nullopt;
    std::vector<Constant> numbers;
    std::vector<std::optional<Extent>> all;
    for (size_t i = 0; i < inputs_.size(); ++i) {
      std::vector<int64_t> of_input(inputs_[i]->size());
      std::iota(of_input.begin(), of_input.end(), static_cast<int64_t>(all.size()));
      all.insert(all.end(), inputs_[i]->begin(), inputs_[i]->end());
      const Output input = node_.input(static_cast<int>(i));
      numbers.push_back(
          Constant::Of<int64_t>(input.node->type(input.index).shape, std::move(of_input)));
    }
    return Pick(attrs, numbers, all);
  }

  static std::optional<Elements> Pick(const OpAttrs& attrs, std::span<const Constant> numbers,
                                      const Elements& all) {
    const auto moved = EvaluateOp(attrs, numbers);
    if (!moved.ok()) return std::nullopt;
    Elements elements;
    for (const int64_t number : (*moved)[0].ToInt64())
      elements.push_back(all[static_cast<size_t>(number)]);
    return elements;
  }

  std::optional<Elements> Gathered() {
    const Output indices = node_.input(1), from = node_.input(0);
    if (!indices.node->IsConstant()) return std::nullopt;
    std::vector<int64_t> numbers(inputs_[0]->size());
    std::iota(numbers.begin(), numbers.end(), 0);
    const Constant constants[] = {
        Constant::Of<int64_t>(from.node->type(from.index).shape, std::move(numbers)),
        indices.node->constant()};
    return Pick(node_.attrs(), constants, *inputs_[0]);
  }

  // The elements of input `i`, broadcast to the shape of the output.
  std::optional<Elements> Broadcast(size_t i) {
    const Output input = node_.input(static_cast<int>(i));
    const Shape& shape = node_.type().shape;
    if (input.node->type(input.index).shape == shape) return *inputs_[i];
    std::vector<int64_t> numbers(inputs_[i]->size());
    std::iota(numbers.begin(), numbers.end(), 0);
    const Constant constant =
        Constant::Of<int64_t>(input.node->type(input.index).shape, std::move(numbers));
    const BroadcastToAttrs attrs{.shape = shape};
    return Pick(attrs, std::span(&constant, 1), *inputs_[i]);
  }

  int64_t Min(const Extent& extent) const { return graph_.shapes().symbols().Min(extent); }
  int64_t Max(const Extent& extent) const { return graph_.shapes().symbols().Max(extent); }
  bool AtLeast(const Extent& a, const Extent& b) const {
    return graph_.shapes().symbols().AtLeast(a, b);
  }
  Extent Fresh(size_t element, int64_t min, int64_t max) {
    if (min == max) return min;
    return IntegerValues::SymbolOf(graph_, {&node_, 0}, static_cast<int>(element), min, max);
  }

  std::optional<Elements> Negated() {
    if (node_.attrs<UnaryAttrs>().kind != UnaryKind::Neg) return std::nullopt;
    Elements elements;
    for (const std::optional<Extent>& element : *inputs_[0])
      elements.push_back(element ? std::optional(*element * -1) : std::nullopt);
    return elements;
  }

  std::optional<Elements> Combined() {
    const std::optional<Elements> a = Broadcast(0), b = Broadcast(1);
    if (!a || !b) return std::nullopt;
    Elements elements;
    for (size_t i = 0; i < a->size(); ++i) {
      const bool known = (*a)[i] && (*b)[i];
      elements.push_back(known ? Combine(i, *(*a)[i], *(*b)[i]) : std::nullopt);
    }
    return elements;
  }

  std::optional<Extent> Combine(size_t element, const Extent& a, const Extent& b) {
    switch (node_.attrs<BinaryAttrs>().kind) {
      case BinaryKind::Add:
        return a + b;
      case BinaryKind::Sub:
        return a - b;
      case BinaryKind::Mul:
        return Product(element, a, b);
      case BinaryKind::Maximum:
        return Larger(element, a, b);
      case BinaryKind::Minimum:
        return Smaller(element, a, b);
      case BinaryKind::Div:
      case BinaryKind::FloorDiv:
      case BinaryKind::TruncateDiv:
        return Ratio(element, a, b);
      default:
        return std::nullopt;
    }
  }

  Extent Larger(size_t element, const Extent& a, const Extent& b) {
    if (AtLeast(a, b)) return a;
    if (AtLeast(b, a)) return b;
    return Fresh(element, std::max(Min(a), Min(b)), std::max(Max(a), Max(b)));
  }

  Extent Smaller(size_t element, const Extent& a, const Extent& b) {
    if (AtLeast(b, a)) return a;
    if (AtLeast(a, b)) return b;
    return Fresh(element, std::min(Min(a), Min(b)), std::min(Max(a), Max(b)));
  }

  std::optional<Extent> Product(size_t element, const Extent& a, const Extent& b) {
    if (a.is_constant()) return b * a.constant();
    if (b.is_constant()) return a * b.constant();
    const auto [min, max] =
        std::minmax({SaturatingMul(Min(a), Min(b)), SaturatingMul(Min(a), Max(b)),
                     SaturatingMul(Max(a), Min(b)), SaturatingMul(Max(a), Max(b))});
    return FreshProduct(element, min, max, {a, b});
  }

  // A symbol for a product of factors that vary, none of which is negative.
  Extent FreshProduct(size_t element, int64_t min, int64_t max, std::vector<Extent> factors) {
    Extent product = Fresh(element, min, max);
    const bool is_product =
        std::ranges::all_of(factors, [&](const Extent& f) { return Min(f) >= 0; });
    if (!product.is_constant() && is_product)
      graph_.shapes().SetQuotient(product.terms()[0].symbol, {std::move(factors), 1});
    return product;
  }

  std::optional<Extent> Ratio(size_t element, const Extent& a, const Extent& b) {
    const SymbolTable& symbols = graph_.shapes().symbols();
    if (!b.is_constant() || b.constant() <= 0 || symbols.TightMin(a) < 0) return std::nullopt;
    const int64_t divisor = b.constant();
    if (Content(a) % divisor == 0) return Divided(a, divisor);
    const Extent quotient =
        Fresh(element, symbols.TightMin(a) / divisor, symbols.TightMax(a) / divisor);
    if (!quotient.is_constant())
      graph_.shapes().SetQuotient(quotient.terms()[0].symbol, {{a}, divisor});
    return quotient;
  }

  // Which of its two values a Select takes, if its condition compares these values.
  enum class Order { kNone, kSmaller, kLarger };
  Order OrderOfSelect() const {
    const Node* compare = node_.input(0).node;
    if (!compare->Is<CompareAttrs>()) return Order::kNone;
    const CompareKind kind = compare->attrs<CompareAttrs>().kind;
    const bool first_less = kind == CompareKind::Less || kind == CompareKind::LessEqual;
    const bool first_greater = kind == CompareKind::Greater || kind == CompareKind::GreaterEqual;
    if (!first_less && !first_greater) return Order::kNone;
    const Output a = compare->input(0), b = compare->input(1);
    if (node_.input(1) == a && node_.input(2) == b)
      return first_less ? Order::kSmaller : Order::kLarger;
    if (node_.input(1) == b && node_.input(2) == a)
      return first_less ? Order::kLarger : Order::kSmaller;
    return Order::kNone;
  }

  // Each element is one of two. It gets a new symbol where it is not known which one.
  std::optional<Elements> Selected() {
    const Order order = OrderOfSelect();
    const std::optional<Elements> a = Broadcast(1), b = Broadcast(2);
    if (!a || !b) return std::nullopt;
    Elements elements;
    for (size_t i = 0; i < a->size(); ++i) {
      if (!(*a)[i] || !(*b)[i]) {
        elements.push_back(std::nullopt);
        continue;
      }
      const Extent &x = *(*a)[i], &y = *(*b)[i];
      if (x == y)
        elements.push_back(x);
      else if (order == Order::kSmaller)
        elements.push_back(Smaller(i, x, y));
      else if (order == Order::kLarger)
        elements.push_back(Larger(i, x, y));
      else
        elements.push_back(Fresh(i, std::min(Min(x), Min(y)), std::max(Max(x), Max(y))));
    }
    return elements;
  }

  std::optional<Elements> Reduced() {
    const ReduceKind kind = node_.attrs<ReduceAttrs>().kind;
    if (node_.type().shape.num_elements() != 1 || inputs_[0]->empty()) return std::nullopt;
    if (kind != ReduceKind::Sum && kind != ReduceKind::Prod) return std::nullopt;
    Extent result = kind == ReduceKind::Sum ? 0 : 1;
    int varying = 0;
    int64_t min = 1, max = 1;
    for (const std::optional<Extent>& element : *inputs_[0]) {
      if (!element || (kind == ReduceKind::Prod && Min(*element) < 0)) return std::nullopt;
      varying += !element->is_constant();
      min = SaturatingMul(min, Min(*element));
      max = SaturatingMul(max, Max(*element));
      if (kind == ReduceKind::Sum)
        result = result + *element;
      else if (varying <= 1)
        result =
            element->is_constant() ? result * element->constant() : *element * result.constant();
    }
    if (kind == ReduceKind::Prod && varying > 1) {
      std::vector<Extent> factors;
      for (const std::optional<Extent>& element : *inputs_[0]) factors.push_back(*element);
      result = FreshProduct(0, min, max, std::move(factors));
    }
    return Elements{result};
  }

  Graph& graph_;
  Node& node_;
  std::vector<const Elements*> inputs_;
};

}  // namespace

const Elements* IntegerValues::Find(Output value) {
  const auto it = values_.find({value.node->id(), value.index});
  if (it != values_.end()) return &it->second;
  if (!value.node->IsConstant() || !value.node->HasType(0) || !IsSmallInteger(value.node->type()))
    return nullptr;
  const std::vector<int64_t> numbers = value.node->constant().ToInt64();
  return &(values_[{value.node->id(), value.index}] = Elements(numbers.begin(), numbers.end()));
}

void IntegerValues::Set(Output value, Elements elements) {
  values_[{value.node->id(), value.index}] = std::move(elements);
}

std::optional<std::vector<Extent>> IntegerValues::Read(Graph& graph, Output value) {
  if (!value.node->HasType(value.index) || !IsSmallInteger(value.node->type(value.index)) ||
      graph.Varies(value))
    return std::nullopt;
  const Elements* known = Find(value);
  Elements elements =
      known != nullptr
          ? *known
          : Elements(static_cast<size_t>(value.node->type(value.index).shape.num_elements()));
  const std::optional<IntegerBounds::Bounds> bounds = bounds_.Find(value);
  std::vector<Extent> all;
  for (size_t i = 0; i < elements.size(); ++i) {
    if (!elements[i] && !bounds) return std::nullopt;
    if (!elements[i] && bounds->min == bounds->max) elements[i] = bounds->min;
    if (!elements[i])
      elements[i] = SymbolOf(graph, value, static_cast<int>(i), bounds->min, bounds->max);
    all.push_back(*elements[i]);
  }
  Set(value, std::move(elements));
  return all;
}

void IntegerValues::Record(Graph& graph, Node* node) {
  bounds_.Record(*node);
  if (graph.shapes().empty() || node->node_class() != NodeClass::kOp || node->num_outputs() != 1 ||
      !IsSmallInteger(node->type()))
    return;
  if (node->Is<ShapeOfAttrs>()) {
    const SymbolicShapes::Extents extents = graph.ExtentsOf(node->input(0));
    return Learn(graph, {node, 0}, Elements(extents.begin(), extents.end()));
  }
  if (graph.Varies({node, 0})) return;
  std::vector<const Elements*> inputs;
  for (int i = 0; i < node->num_inputs(); ++i) {
    // ElementRule does not need the elements of a Select's condition and of a Gather's indices.
    const bool is_read =
        !(node->Is<SelectAttrs>() && i == 0) && !(node->Is<GatherAttrs>() && i == 1);
    if (is_read && Find(node->input(i)) == nullptr) NameFew(graph, node->input(i));
    inputs.push_back(is_read ? Find(node->input(i)) : nullptr);
    if (is_read && inputs.back() == nullptr) return;
  }
  if (std::optional<Elements> elements = ElementRule(graph, node, std::move(inputs)).Run())
    Learn(graph, {node, 0}, *std::move(elements));
}

// Makes symbols of elements of which only bounds are known, so that results computed from them can
// be expressed in these symbols. Only for tensors of few elements, to keep the symbols few.
void IntegerValues::NameFew(Graph& graph, Output value) {
  constexpr int64_t kFew = 4;
  if (value.node->HasType(value.index) &&
      value.node->type(value.index).shape.num_elements() <= kFew)
    Read(graph, value);
}

// Sets the elements, and their bounds if all of them are known.
void IntegerValues::Learn(const Graph& graph, Output value, Elements elements) {
  const SymbolTable& symbols = graph.shapes().symbols();
  IntegerBounds::Bounds bounds{INT64_MAX, INT64_MIN};
  bool all = !elements.empty();
  for (const std::optional<Extent>& element : elements) {
    all = all && element.has_value();
    if (!element) continue;
    bounds.min = std::min(bounds.min, symbols.Min(*element));
    bounds.max = std::max(bounds.max, symbols.Max(*element));
  }
  if (all) bounds_.Set(value, bounds);
  Set(value, std::move(elements));
}

Extent IntegerValues::SymbolOf(Graph& graph, Output value, int element, int64_t min, int64_t max) {
  std::string name = value.node->name();
  if (element > 0) name = fmt::format("{}#{}", name, element);
  return Extent::OfSymbol(
      graph.shapes().AddSymbol(std::move(name), min, max, {value.node, value.index, element}));
}

}  // namespace linnet::converter
