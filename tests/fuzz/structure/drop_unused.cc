// SPDX-License-Identifier: Apache-2.0
#include <algorithm>

#include "tests/fuzz/structure/mutations.h"

namespace linnet::fuzz {
namespace {

// Which of some numbered things are used, and their new numbers once the others are gone.
class Uses {
 public:
  explicit Uses(size_t count) : used_(count, false) {}

  void Use(int32_t number) {
    if (number >= 0 && number < static_cast<int32_t>(used_.size()))
      used_[static_cast<size_t>(number)] = true;
  }
  void Use(const std::vector<int32_t>& numbers) {
    for (const int32_t number : numbers) Use(number);
  }
  bool used(size_t number) const { return used_[number]; }
  // A number that is out of range stays out of range.
  void Renumber(int32_t& number) const {
    if (number < 0 || number >= static_cast<int32_t>(used_.size())) return;
    number = static_cast<int32_t>(std::count(used_.begin(), used_.begin() + number, true));
  }
  void Renumber(std::vector<int32_t>& numbers) const {
    for (int32_t& number : numbers) Renumber(number);
  }
  template <typename T>
  void Keep(std::vector<T>& list) const {
    std::vector<T> kept;
    for (size_t i = 0; i < list.size(); ++i)
      if (used_[i]) kept.push_back(std::move(list[i]));
    list = std::move(kept);
  }

 private:
  std::vector<bool> used_;
};

void DropTensors(schema::ProgramT& program) {
  Uses tensors(program.tensors.size());
  const auto each = [&](auto&& visit) {
    for (const auto& region : program.regions) {
      visit(region->results);
      visit(region->arguments);
      for (const auto& step : region->steps) {
        visit(step->inputs);
        visit(step->outputs);
      }
    }
    for (auto* ports : {&program.signature->inputs, &program.signature->outputs})
      for (const auto& port : *ports) visit(port->tensor);
  };
  each([&](auto& numbers) { tensors.Use(numbers); });
  each([&](auto& numbers) { tensors.Renumber(numbers); });
  tensors.Keep(program.tensors);
  Uses buffers(program.buffers.size());
  const auto each_buffer = [&](auto&& visit) {
    for (const auto& tensor : program.tensors) visit(tensor->buffer);
    for (const auto& region : program.regions)
      for (const auto& step : region->steps) visit(step->scratch);
  };
  each_buffer([&](int32_t buffer) { buffers.Use(buffer); });
  each_buffer([&](int32_t& buffer) { buffers.Renumber(buffer); });
  buffers.Keep(program.buffers);
}

}  // namespace

void DropUnused(PlanFile& file) {
  for (const auto& program : file.plan.programs)
    if (program->signature != nullptr) DropTensors(*program);
  Uses weights(file.weights.size()), states(file.plan.states.size());
  const auto each_tensor = [&](auto&& visit) {
    for (const auto& program : file.plan.programs)
      for (const auto& tensor : program->tensors) visit(*tensor);
  };
  each_tensor([&](const schema::TensorT& tensor) {
    weights.Use(tensor.weight);
    states.Use(tensor.state);
  });
  each_tensor([&](schema::TensorT& tensor) { states.Renumber(tensor.state); });
  states.Keep(file.plan.states);
  for (const auto& state : file.plan.states) weights.Use(state->initial);
  for (const auto& state : file.plan.states) weights.Renumber(state->initial);
  each_tensor([&](schema::TensorT& tensor) { weights.Renumber(tensor.weight); });
  weights.Keep(file.weights);
  weights.Keep(file.plan.weights);
}

}  // namespace linnet::fuzz
