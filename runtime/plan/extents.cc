// SPDX-License-Identifier: Apache-2.0
#include "runtime/plan/extents.h"

#include <algorithm>

namespace linnet {

Status Extents::Create(std::span<const PlanSymbol> symbols, Region& region) {
  symbols_ = symbols;
  values_ = region.New<int64_t>(static_cast<int64_t>(symbols.size()));
  if (values_ == nullptr) return {StatusCode::kNoMemory, "out of memory for the plan's symbols"};
  for (size_t i = 0; i < symbols.size(); ++i) values_[i] = symbols[i].max;
  return {};
}

bool Extents::Set(int32_t symbol, int64_t value) {
  if (value < symbols_[symbol].min || value > symbols_[symbol].max) return false;
  values_[symbol] = value;
  return true;
}

int64_t Extents::Largest(int32_t index) const {
  const PlanSymbol& symbol = symbols_[index];
  int64_t sum = symbol.is_free() ? symbol.max : symbol.constant;
  for (const schema::Term& term : symbol.terms) {
    const PlanSymbol& of = symbols_[term.symbol()];
    int64_t product;
    if (!CheckedMul(term.factor(), term.factor() > 0 ? of.max : of.min, &product) ||
        !CheckedAdd(sum, product, &sum))
      return INT64_MAX;
  }
  return std::max<int64_t>(sum, 0);
}

int64_t Extents::value(int32_t index) const {
  const PlanSymbol& symbol = symbols_[index];
  if (symbol.is_free()) return values_[index];
  int64_t sum = symbol.constant;
  for (const schema::Term& term : symbol.terms) {
    int64_t product;
    if (!CheckedMul(term.factor(), values_[term.symbol()], &product) ||
        !CheckedAdd(sum, product, &sum))
      return -1;
  }
  return sum < 0 ? -1 : sum;
}

bool Extents::TypeOf(const PlanTensor& tensor, TensorType* type) const {
  *type = tensor.type;
  for (size_t i = 0; i < tensor.symbols.size(); ++i) {
    if (tensor.symbols[i] < 0) continue;
    int64_t& extent = type->shape[static_cast<int>(i)];
    const int64_t now = value(tensor.symbols[i]);
    if (now < 0 || now > extent) return false;
    extent = now;
  }
  return true;
}

TensorType Extents::TypeOrLargest(const PlanTensor& tensor) const {
  TensorType type;
  return TypeOf(tensor, &type) ? type : tensor.type;
}

}  // namespace linnet
