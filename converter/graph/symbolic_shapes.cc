// SPDX-License-Identifier: Apache-2.0
#include "converter/graph/symbolic_shapes.h"

#include <algorithm>
#include <optional>
#include <set>

#include "converter/graph/graph.h"
#include "fmt/format.h"

namespace linnet::converter {

using Values = SymbolTable::Values;
using Types = std::vector<TensorType>;

// One use of SymbolicShapes::Infer.
class ExtentInference {
 public:
  ExtentInference(SymbolicShapes& shapes, const SymbolicShapes::Instance& op, const Node* before)
      : shapes_(shapes), symbols_(shapes.symbols_), op_(op), before_(before) {}

  absl::StatusOr<SymbolicShapes::Inferred> Run() {
    const OpDef* def = FindOp(op_.attrs.kind());
    CollectSymbols();
    largest_ = symbols_.Largest();
    const std::optional<Types> types = TypesAt(largest_);
    if (!types)
      return absl::InvalidArgumentError(fmt::format("{} '{}': {}", def->name, op_.name, reason_));
    types_ = *types;
    if (absl::Status status = Probe(); !status.ok()) return status;
    for (size_t i = 0; i < types_.size(); ++i) FillOutput(static_cast<int>(i));
    return std::move(result_);
  }

 private:
  // Values of the symbols and what came out.
  struct Trial {
    int symbol = -1;  // that changed alone; -1: several did
    Values values;
    Types types;
    Types reference;  // with the symbol at its largest instead
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
  }

  // nullopt where the rule refuses, for `reason_`.
  std::optional<Types> TypesAt(const Values& values) {
    const OpDef* def = FindOp(op_.attrs.kind());
    std::vector<InputInfo> inputs(op_.inputs.begin(), op_.inputs.end());
    for (size_t i = 0; i < inputs.size(); ++i)
      for (int d = 0; op_.extents[i] != nullptr && d < inputs[i].type.shape.rank(); ++d)
        inputs[i].type.shape[d] = symbols_.Value((*op_.extents[i])[d], values);
    OpAttrs attrs = op_.attrs;
    for (const OpAttrs::Varying& varying : op_.attrs.varying()) {
      if (def->set_extent != nullptr &&
          def->set_extent(attrs.data(), varying.slot, symbols_.Value(varying.extent, values)))
        continue;
      reason_ = fmt::format("an attribute cannot be {}", symbols_.Text(varying.extent));
      return std::nullopt;
    }
    Types types(kMaxOpOutputs);
    const Status status = InferTypes({attrs.kind(), attrs.data(), inputs, {}}, types.data());
    if (!status.ok()) {
      reason_ = status.what();
      return std::nullopt;
    }
    types.resize(static_cast<size_t>(def->num_outputs));
    return types;
  }

  std::vector<int64_t> TrialValues(int symbol) const {
    const auto& [name, min, max] = symbols_[symbol];
    std::vector<int64_t> values;
    for (const int64_t value : {max - 1, max - 2, min + (max - min) / 2, min + 1, min})
      if (value >= min && value < max && std::ranges::find(values, value) == values.end())
        values.push_back(value);
    return values;
  }

  // Lets each symbol vary alone. One that cannot (an extent of 1 always broadcasts) may have to be
  // equal to another.
  absl::Status Probe() {
    for (size_t i = 0; i < used_.size(); ++i) {
      const int symbol = used_[i];
      if (symbols_.Root(symbol) != symbol) continue;
      const size_t tried = TrialValues(symbol).size();
      const size_t accepted = TryValues(symbol, largest_);
      if (accepted == tried) continue;
      if (MergeWithAnother(symbol)) return Again();
      if (TryValues(symbol, OthersSmallest(symbol)) > 0 || accepted > 0) continue;
      return absl::InvalidArgumentError(fmt::format(
          "{} '{}': {}, when '{}' is not its largest, {}", FindOp(op_.attrs.kind())->name, op_.name,
          reason_, symbols_[symbol].name, symbols_[symbol].max));
    }
    TryAll();
    return absl::OkStatus();
  }

  absl::Status Again() {
    trials_.clear();
    CollectSymbols();
    return Probe();
  }

  // No more rows can be found than there are: what cannot be less while another is largest may be
  // so while it is smallest.
  Values OthersSmallest(int symbol) const {
    Values values = largest_;
    for (const int other : used_)
      if (other != symbol) values[other] = symbols_[other].min;
    return values;
  }

  // How many of its values the rule accepts while the others are as in `values`.
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

  // Is there one that makes every value good if it has the same?
  bool MergeWithAnother(int symbol) {
    const std::vector<int64_t> tried = TrialValues(symbol);
    for (const int other : used_) {
      // What data sets has its own value, whatever would suit this op.
      const bool fed =
          shapes_.sources_[other].node == nullptr && shapes_.sources_[symbol].node == nullptr;
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

  // All together, so that products of symbols do not look like sums.
  void TryAll() {
    for (const bool half : {true, false}) {
      Values values = largest_;
      for (const int symbol : used_)
        values[symbol] =
            half ? (symbols_[symbol].min + symbols_[symbol].max) / 2 : symbols_[symbol].min;
      if (std::optional<Types> types = TypesAt(values))
        trials_.push_back({-1, std::move(values), *std::move(types), {}});
    }
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

  int64_t At(const Trial& trial, int output, int d) const {
    return trial.types[static_cast<size_t>(output)].shape[d];
  }

  // The sum of symbols that every trial agrees with, or a symbol of its own.
  Extent ExtentOf(int output, int d) {
    const int64_t base = types_[static_cast<size_t>(output)].shape[d];
    Extent sum(base);
    for (const int symbol : used_) {
      const auto trial = std::ranges::find(trials_, symbol, &Trial::symbol);
      if (trial == trials_.end()) continue;
      const int64_t step = largest_[symbol] - trial->values[symbol];
      const int64_t change =
          trial->reference[static_cast<size_t>(output)].shape[d] - At(*trial, output, d);
      if (change == 0) continue;
      sum = sum + (Extent::OfSymbol(symbol) - symbols_[symbol].max) * (change / step);
    }
    const bool agrees = std::ranges::all_of(trials_, [&](const Trial& trial) {
      return symbols_.Value(sum, trial.values) == At(trial, output, d);
    });
    return agrees ? sum : FreshSymbol(output, d, base);
  }

  Extent FreshSymbol(int output, int d, int64_t largest) {
    int64_t smallest = largest;
    for (const Trial& trial : trials_) {
      largest = std::max(largest, At(trial, output, d));
      smallest = std::min(smallest, At(trial, output, d));
    }
    if (const std::optional<int> known = KnownSymbol(output, d)) {
      if (symbols_[*known].max >= largest) return Extent::OfSymbol(*known);
    }
    // Extents between those tried may be smaller still.
    const int symbol = shapes_.AddSymbol(fmt::format("{}.{}", op_.name, d),
                                         std::min<int64_t>(smallest, 0), largest, {});
    result_.fresh.push_back({symbol, output, d});
    return Extent::OfSymbol(symbol);
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
  const Node* before_;
  std::string reason_;
  std::vector<int> used_;
  Values largest_;
  Types types_;  // with the largest
  std::vector<Trial> trials_;
  SymbolicShapes::Inferred result_;
};

int SymbolicShapes::AddSymbol(std::string name, int64_t min, int64_t max, Source source) {
  sources_.push_back(source);
  return symbols_.Add(std::move(name), min, max);
}

const SymbolicShapes::Extents* SymbolicShapes::Find(const Node* node, int output) const {
  if (extents_.empty()) return nullptr;
  const auto it = extents_.find({node, output});
  return it == extents_.end() ? nullptr : &it->second;
}

void SymbolicShapes::Set(const Node* node, int output, Extents extents) {
  if (AllConstant(extents)) {
    if (!extents_.empty()) extents_.erase({node, output});
    return;
  }
  extents_[{node, output}] = std::move(extents);
}

void SymbolicShapes::Forget(const Node* node) {
  ForgetExtents(node);
  for (Source& source : sources_)
    if (source.node == node) source = {};
}

void SymbolicShapes::ForgetExtents(const Node* node) {
  if (extents_.empty()) return;
  const auto first = extents_.lower_bound({node, 0});
  auto last = first;
  while (last != extents_.end() && last->first.first == node) ++last;
  extents_.erase(first, last);
}

void SymbolicShapes::MoveSources(const Output& from, const Output& to) {
  for (Source& source : sources_)
    if (source.node == from.node && source.output == from.index) {
      source.node = to.node;
      source.output = to.index;
    }
}

bool SymbolicShapes::Instance::varies() const {
  return !attrs.varying().empty() ||
         std::ranges::any_of(extents, [](const Extents* e) { return e != nullptr; });
}

absl::StatusOr<SymbolicShapes::Inferred> SymbolicShapes::Infer(const Instance& op,
                                                               const Node* before) {
  return ExtentInference(*this, op, before).Run();
}

}  // namespace linnet::converter
