// SPDX-License-Identifier: Apache-2.0
// SymbolicShapes::Infer: extents by an op's shape rule, which is tried at several values of each
// symbol.
#include <algorithm>
#include <optional>
#include <set>

#include "converter/graph/graph.h"
#include "converter/graph/symbolic_shapes.h"
#include "fmt/format.h"

namespace linnet::converter {

using Values = SymbolTable::Values;
using Types = std::vector<TensorType>;

// One call of SymbolicShapes::Infer.
class ExtentInference {
 public:
  ExtentInference(SymbolicShapes& shapes, const SymbolicShapes::Instance& op, const Node* before)
      : shapes_(shapes),
        symbols_(shapes.symbols_),
        op_(op),
        def_(*FindOp(op.attrs.kind())),
        before_(before) {}

  absl::StatusOr<SymbolicShapes::Inferred> Run() {
    CollectSymbols();
    largest_ = symbols_.Largest();
    const std::optional<Types> types = TypesAt(largest_);
    if (!types)
      return absl::InvalidArgumentError(fmt::format("{} '{}': {}", def_.name, op_.name, reason_));
    types_ = *types;
    if (absl::Status status = Probe(); !status.ok()) return status;
    for (size_t i = 0; i < types_.size(); ++i) FillOutput(static_cast<int>(i));
    return std::move(result_);
  }

 private:
  // Values of the symbols and the output types that the rule infers from them.
  struct Trial {
    int symbol = -1;  // the only one that is not at its reference value; -1: several are not
    Values values;
    Types types;
    Types reference;  // with `symbol` at its largest instead
  };

  void CollectSymbols() {
    std::set<int> used;
    const auto add = [&](const Extent& extent) {
      for (const Extent::Term& term : extent.terms()) used.insert(symbols_.Root(term.symbol));
    };
    for (const SymbolicShapes::Extents* extents : op_.extents)
      if (extents != nullptr) std::ranges::for_each(*extents, add);
    for (const OpAttrs::Varying& varying : op_.attrs.varying()) add(varying.extent);
    used_.assign(used.begin(), used.end());
    quotients_of_used_.clear();
    for (const int symbol : used_) {
      quotients_of_used_.push_back(QuotientOf(symbol));
      for (const Extent& factor : quotients_of_used_.back().factors) add(factor);
    }
    bases_.assign(used.begin(), used.end());
  }

  // nullopt where the rule refuses the values; reason_ says why.
  std::optional<Types> TypesAt(const Values& values) {
    std::vector<InputInfo> inputs(op_.inputs.begin(), op_.inputs.end());
    for (size_t i = 0; i < inputs.size(); ++i)
      for (int d = 0; op_.extents[i] != nullptr && d < inputs[i].type.shape.rank(); ++d)
        inputs[i].type.shape[d] = symbols_.Value((*op_.extents[i])[d], values);
    OpAttrs attrs = op_.attrs;
    for (const OpAttrs::Varying& varying : op_.attrs.varying()) {
      if (def_.set_extent != nullptr &&
          def_.set_extent(attrs.data(), varying.slot, symbols_.Value(varying.extent, values)))
        continue;
      reason_ = fmt::format("an attribute cannot be {}", symbols_.Text(varying.extent));
      return std::nullopt;
    }
    Types types;
    const Status status = InferOutputs(attrs, inputs, &types);
    if (status.ok()) return types;
    reason_ = status.what();
    return std::nullopt;
  }

  std::vector<int64_t> TrialValues(int symbol) const {
    const int64_t min = symbols_[symbol].min, max = symbols_[symbol].max;
    std::vector<int64_t> values;
    for (const int64_t value : {max - 1, max - 2, min + (max - min) / 2, min + 1, min})
      if (value >= min && value < max && std::ranges::find(values, value) == values.end())
        values.push_back(value);
    return values;
  }

  // Lets each symbol vary alone. Where the rule refuses some of its values, the symbol may have to
  // be equal to another one.
  absl::Status Probe() {
    for (const int symbol : used_) {
      if (symbols_.Root(symbol) != symbol) continue;
      const size_t tried = TrialValues(symbol).size();
      const size_t accepted = TryValues(symbol, largest_);
      if (accepted == tried) continue;
      if (MergeWithAnother(symbol)) {  // start again, with one symbol less
        trials_.clear();
        CollectSymbols();
        return Probe();
      }
      if (TryValues(symbol, OthersSmallest(symbol)) > 0 || accepted > 0) continue;
      // It never changes alone; TryAll changes it together with those that it is tied to.
      if (!IsTied(symbol)) return Refusal(symbol);
      tied_ = symbol;
    }
    TryAll();
    const bool all_changed = std::ranges::find(trials_, -1, &Trial::symbol) != trials_.end();
    if (tied_ && !all_changed) return Refusal(*tied_);
    return absl::OkStatus();
  }

  absl::Status Refusal(int symbol) const {
    return absl::InvalidArgumentError(fmt::format("{} '{}': {}, when '{}' is not its largest, {}",
                                                  def_.name, op_.name, reason_,
                                                  symbols_[symbol].name, symbols_[symbol].max));
  }

  // Itself, with divisor 1, where it is not known to be a quotient or a product.
  Quotient QuotientOf(int symbol) const {
    return ReducedQuotient(symbols_, {{Extent::OfSymbol(symbol)}, 1});
  }

  static bool IsDerived(const Quotient& quotient) {
    return quotient.divisor > 1 || quotient.factors.size() > 1;
  }

  static bool Uses(const Quotient& quotient, int symbol) {
    return std::ranges::any_of(quotient.factors, [&](const Extent& factor) {
      return std::ranges::find(factor.terms(), symbol, &Extent::Term::symbol) !=
             factor.terms().end();
    });
  }

  // Whether another symbol that the op uses follows from this one, or both from a third: a picture
  // and its half, twice as large again, are of one size where that is even. The rule refuses the
  // other sizes, in a run too.
  bool IsTied(int symbol) const {
    const auto at = static_cast<size_t>(std::ranges::find(used_, symbol) - used_.begin());
    const Quotient& quotient = quotients_of_used_[at];
    for (size_t i = 0; i < used_.size(); ++i) {
      const Quotient& other = quotients_of_used_[i];
      if (i == at || (!IsDerived(quotient) && !IsDerived(other))) continue;
      if (Uses(quotient, used_[i]) || Uses(other, symbol) ||
          std::ranges::any_of(bases_,
                              [&](int base) { return Uses(quotient, base) && Uses(other, base); }))
        return true;
    }
    return false;
  }

  // A symbol may be bounded by others (no more rows can be found than there are): what the rule
  // refuses while the others are at their largest it may accept while they are at their smallest.
  Values OthersSmallest(int symbol) const {
    Values values = largest_;
    for (const int other : used_)
      if (other != symbol) values[other] = symbols_[other].min;
    return values;
  }

  // How many trial values of `symbol` the rule accepts while the others are as in `values`.
  size_t TryValues(int symbol, Values values) {
    values[symbol] = largest_[symbol];
    const std::optional<Types> reference = TypesAt(values);
    if (!reference) return 0;
    size_t accepted = 0;
    for (const int64_t value : TrialValues(symbol)) {
      values[symbol] = value;
      if (std::optional<Types> types = TypesAt(values)) {
        trials_.push_back({symbol, values, *std::move(types), *reference});
        ++accepted;
      }
    }
    return accepted;
  }

  // Merges `symbol` with another one if the rule accepts every trial value that both have.
  bool MergeWithAnother(int symbol) {
    const std::vector<int64_t> tried = TrialValues(symbol);
    for (const int other : used_) {
      // A symbol that an op sets when it runs cannot be chosen to suit this op.
      const bool fed = shapes_.SourceOfEqual(other).node == nullptr &&
                       shapes_.SourceOfEqual(symbol).node == nullptr;
      const bool alike = other != symbol && fed && symbols_[other].min == symbols_[symbol].min &&
                         symbols_[other].max == symbols_[symbol].max;
      const bool agrees = alike && std::ranges::all_of(tried, [&](int64_t value) {
                            Values values = largest_;
                            values[symbol] = values[other] = value;
                            return TypesAt(values).has_value();
                          });
      if (!agrees) continue;
      symbols_.Merge(std::min(symbol, other), std::max(symbol, other));
      return true;
    }
    return false;
  }

  // Changes all symbols together, so that a product of symbols is not taken for a sum. Those that
  // are tied to each other may only fit where they are multiples.
  void TryAll() {
    TryAllAt([](const SymbolTable::Symbol& symbol) { return (symbol.min + symbol.max) / 2; });
    TryAllAt([](const SymbolTable::Symbol& symbol) { return symbol.min; });
    if (!tied_) return;
    // One at a time, with what follows from it, so that none is taken for another.
    for (const int base : bases_)
      TryAllAt([&](const SymbolTable::Symbol& symbol) {
        return &symbol == &symbols_[base] ? (symbol.min + symbol.max) / 2 : symbol.max;
      });
    for (const int64_t unit : {2, 3, 4, 5, 6, 7, 8, 12, 16, 24, 32, 64}) {
      TryAllAt([&](const SymbolTable::Symbol& symbol) {
        const int64_t middle = (symbol.min + symbol.max) / 2 / unit * unit;
        return middle >= symbol.min ? middle : symbol.max;
      });
    }
  }

  template <typename ValueOf>
  void TryAllAt(ValueOf value_of) {
    Values values = largest_;
    for (const int symbol : bases_) values[symbol] = value_of(symbols_[symbol]);
    for (size_t i = 0; i < used_.size(); ++i)
      if (IsDerived(quotients_of_used_[i]))
        values[used_[i]] = symbols_.Value(quotients_of_used_[i], values);
    if (values == largest_) return;
    if (std::optional<Types> types = TypesAt(values))
      trials_.push_back({-1, std::move(values), *std::move(types), {}});
  }

  void FillOutput(int output) {
    TensorType type = types_[static_cast<size_t>(output)];
    SymbolicShapes::Extents extents;
    for (int d = 0; d < type.shape.rank(); ++d) {
      extents.push_back(ExtentOf(output, d));
      type.shape[d] = symbols_.Largest(extents.back());
    }
    const bool fixed = AllConstant(extents);
    result_.types.push_back(type);
    result_.extents.push_back(fixed ? SymbolicShapes::Extents() : std::move(extents));
  }

  static int64_t At(const Types& types, int output, int d) {
    return types[static_cast<size_t>(output)].shape[d];
  }

  // The sum of symbols that every trial agrees with, else a new symbol.
  Extent ExtentOf(int output, int d) {
    const int64_t base = At(types_, output, d);
    Extent sum(base);
    for (const int symbol : used_) {
      const auto trial = std::ranges::find(trials_, symbol, &Trial::symbol);
      if (trial == trials_.end()) continue;
      const int64_t step = largest_[symbol] - trial->values[symbol];
      const int64_t change = At(trial->reference, output, d) - At(trial->types, output, d);
      if (change == 0) continue;
      sum = sum + (Extent::OfSymbol(symbol) - symbols_[symbol].max) * (change / step);
    }
    const bool agrees = std::ranges::all_of(trials_, [&](const Trial& trial) {
      return symbols_.Value(sum, trial.values) == At(trial.types, output, d);
    });
    if (agrees) return sum;
    const std::optional<Extent> same = tied_ ? GivenExtent(output, d) : std::nullopt;
    return same ? *same : FreshSymbol(output, d, base);
  }

  // The same dimension's extent of an input, or an attribute's, that every trial agrees with.
  std::optional<Extent> GivenExtent(int output, int d) const {
    std::vector<Extent> given;
    for (const SymbolicShapes::Extents* extents : op_.extents)
      if (extents != nullptr && std::ssize(*extents) > d)
        given.push_back((*extents)[static_cast<size_t>(d)]);
    for (const OpAttrs::Varying& varying : op_.attrs.varying())
      given.insert(varying.slot == d ? given.begin() : given.end(), varying.extent);
    for (const Extent& extent : given) {
      const auto agrees = [&](const Trial& trial) {
        return symbols_.Value(extent, trial.values) == At(trial.types, output, d);
      };
      if (symbols_.Value(extent, largest_) == At(types_, output, d) &&
          std::ranges::all_of(trials_, agrees))
        return extent;
    }
    return std::nullopt;
  }

  Extent FreshSymbol(int output, int d, int64_t largest) {
    int64_t smallest = largest;
    for (const Trial& trial : trials_) {
      largest = std::max(largest, At(trial.types, output, d));
      smallest = std::min(smallest, At(trial.types, output, d));
    }
    const std::optional<int> known = KnownSymbol(output, d);
    if (known && symbols_[*known].max >= largest) return Extent::OfSymbol(*known);
    // Extents between those tried may be smaller still.
    const int symbol = shapes_.AddSymbol(fmt::format("{}.{}", op_.name, d),
                                         std::min<int64_t>(smallest, 0), largest, {});
    result_.fresh.push_back({symbol, output, d});
    MergeWithSameQuotient(symbol, d);
    return Extent::OfSymbol(symbol);
  }

  // Two branches of a network that make a picture smaller in different ways have equal extents.
  // Each op keeps a symbol, which it sets, but the symbols are one.
  void MergeWithSameQuotient(int symbol, int d) {
    if (op_.extents.empty() || op_.extents[0] == nullptr) return;
    if (std::ranges::any_of(std::span(op_.extents).subspan(1),
                            [](const SymbolicShapes::Extents* e) { return e != nullptr; }))
      return;
    const std::optional<Quotient> quotient =
        WindowQuotient(op_.attrs, op_.inputs, *op_.extents[0], d);
    if (quotient) shapes_.SetQuotient(symbol, *quotient);
  }

  std::optional<int> KnownSymbol(int output, int d) const {
    if (before_ == nullptr) return std::nullopt;
    for (int i = 0; i < symbols_.size(); ++i) {
      const SymbolicShapes::Source& source = shapes_.source(i);
      if (source.node == before_ && source.output == output && source.element == -1 - d) return i;
    }
    return std::nullopt;
  }

  SymbolicShapes& shapes_;
  SymbolTable& symbols_;
  const SymbolicShapes::Instance& op_;
  const OpDef& def_;
  const Node* before_;
  std::string reason_;
  std::vector<int> used_;
  std::vector<Quotient> quotients_of_used_;  // themselves, with divisor 1, where they are none
  std::vector<int> bases_;  // used_, and those that quotients among them follow from
  Values largest_;
  Types types_;  // with every symbol at its largest
  std::vector<Trial> trials_;
  std::optional<int> tied_;  // a symbol that the rule never lets change alone
  SymbolicShapes::Inferred result_;
};

absl::StatusOr<SymbolicShapes::Inferred> SymbolicShapes::Infer(const Instance& op,
                                                               const Node* before) {
  return ExtentInference(*this, op, before).Run();
}

}  // namespace linnet::converter
