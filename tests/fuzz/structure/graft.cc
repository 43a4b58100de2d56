// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <iterator>

#include "runtime/core/checked.h"
#include "tests/fuzz/structure/mutations.h"

namespace linnet::fuzz {
namespace {

// In a hostile plan the sum may wrap around.
int32_t Sum(int32_t number, size_t by) {
  return static_cast<int32_t>(static_cast<uint32_t>(number) + static_cast<uint32_t>(by));
}

void Shift(int32_t& number, size_t by) {
  if (number >= 0) number = Sum(number, by);
}

void Shift(std::vector<int32_t>& numbers, size_t by) {
  for (int32_t& number : numbers) Shift(number, by);
}

template <typename T>
void MoveAll(std::vector<T>& from, std::vector<T>& to) {
  std::ranges::move(from, std::back_inserter(to));
}

// Renumbers `other`'s first program, whose parts are appended to those of `editor`.
void Renumber(PlanFile& other, const PlanEditor& editor) {
  schema::ProgramT& program = *other.plan.programs[0];
  const size_t tensors = editor.program.tensors.size(), symbols = editor.file.plan.symbols.size(),
               regions = editor.program.regions.size() - 1;
  for (const auto& tensor : program.tensors) {
    Shift(tensor->buffer, editor.program.buffers.size());
    Shift(tensor->weight, editor.file.weights.size());
    Shift(tensor->state, editor.file.plan.states.size());
    Shift(tensor->symbols, symbols);
  }
  for (const auto& symbol : other.plan.symbols)
    for (schema::Term& term : symbol->terms)
      term = {term.symbol() + static_cast<int32_t>(symbols), term.factor()};
  for (const auto& state : other.plan.states) Shift(state->initial, editor.file.weights.size());
  for (const auto& region : program.regions) {
    Shift(region->results, tensors);
    Shift(region->arguments, tensors);
    for (const auto& step : region->steps) {
      Shift(step->inputs, tensors);
      Shift(step->outputs, tensors);
      Shift(step->regions, regions);
      Shift(step->scratch, editor.program.buffers.size());
      for (schema::AttrExtent& extent : step->attr_extents)
        extent = {extent.slot(), Sum(extent.symbol(), symbols)};
      for (schema::SetSymbol& set : step->sets)
        set = {Sum(set.symbol(), symbols), set.output(), set.element()};
    }
  }
  for (auto* ports : {&program.signature->inputs, &program.signature->outputs})
    for (const auto& port : *ports) Shift(port->tensor, tensors);
  const auto steps = static_cast<uint32_t>(editor.program.regions[0]->steps.size());
  for (schema::Strips& strips : program.strips)
    strips = {strips.first() + steps, strips.count(), strips.rows()};
}

// Moves the buffers behind those that are already there.
void PlaceBehind(const schema::ProgramT& there, schema::ProgramT& program) {
  int64_t end = 0;
  for (const auto& buffer : there.buffers)
    end = std::max(end, SaturatingAdd(buffer->offset, buffer->size));
  if (end < 0 || end > int64_t{1} << 30) return;
  for (const auto& buffer : program.buffers)
    buffer->offset = SaturatingAdd(buffer->offset, AlignUp(end, 64));
}

// An existing tensor of the same type replaces an input.
void Connect(size_t steps_before, schema::ProgramT& program, PlanEditor& editor) {
  std::erase_if(program.signature->inputs, [&](const auto& port) {
    const Type type = editor.TypeOf(port->tensor);
    const int32_t from = editor.FindReadable(steps_before, &type);
    if (from < 0 || editor.random.OneIn(3)) return false;
    for (const auto& step : program.regions[0]->steps)
      std::ranges::replace(step->inputs, port->tensor, from);
    return true;
  });
}

}  // namespace

void Graft(PlanFile other, PlanEditor& editor) {
  schema::ProgramT& program = *other.plan.programs[0];
  Renumber(other, editor);
  PlaceBehind(editor.program, program);
  MoveAll(program.tensors, editor.program.tensors);
  MoveAll(program.buffers, editor.program.buffers);
  MoveAll(other.weights, editor.file.weights);
  MoveAll(other.plan.weights, editor.file.plan.weights);
  MoveAll(other.plan.states, editor.file.plan.states);
  MoveAll(other.plan.symbols, editor.file.plan.symbols);
  Connect(editor.steps().size(), program, editor);
  MoveAll(program.strips, editor.program.strips);
  schema::RegionT& body = *program.regions[0];
  MoveAll(body.steps, editor.steps());
  MoveAll(body.arguments, editor.program.regions[0]->arguments);
  MoveAll(body.results, editor.program.regions[0]->results);
  program.regions.erase(program.regions.begin());
  MoveAll(program.regions, editor.program.regions);
  MoveAll(program.signature->inputs, editor.program.signature->inputs);
  MoveAll(program.signature->outputs, editor.program.signature->outputs);
}

}  // namespace linnet::fuzz
