// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "runtime/plan/plan_view.h"

namespace linnet {

// Turns one program's tables into arrays.
class ProgramParser {
 public:
  // `earlier`: the programs before it in the plan.
  ProgramParser(const schema::Program& table, int64_t index, const PlanView& view,
                std::span<const PlanProgram> earlier, Region& region, Diagnostic* diagnostic)
      : table_(table),
        index_(index),
        weights_(view.weights),
        states_(view.states),
        symbols_(view.symbols),
        earlier_(earlier),
        region_(region),
        diagnostic_(diagnostic) {}

  Status Parse(PlanProgram* program);

 private:
  Status Error(const char* what, const char* kind, int64_t item) const;
  Status CheckFeatures() const;
  Status ParseSpaces(PlanProgram* program);
  Status ParseBuffers(PlanProgram* program);
  Status ParseTensors(PlanProgram* program);
  Status ParseTensor(const schema::Tensor& table, int64_t i, const PlanProgram& program,
                     PlanTensor* tensor);
  // These read where a tensor is stored, after its type.
  Status PlaceInState(const schema::Tensor& table, int64_t i, PlanTensor* tensor) const;
  Status PlaceInBuffer(const schema::Tensor& table, int64_t i, const PlanProgram& program,
                       PlanTensor* tensor) const;
  Status PlaceInWeight(const schema::Tensor& table, int64_t i, PlanTensor* tensor) const;
  bool IsSymbol(int64_t index) const;
  bool ParseSymbols(const flatbuffers::Vector<int32_t>& table, PlanTensor* tensor) const;
  Status ParseExtents(const schema::Step& table, int64_t i, PlanStep* step) const;
  // Copies a vector of tensor indices, checking each.
  Status ParseIndices(const flatbuffers::Vector<int32_t>* vector, const PlanProgram& program,
                      int64_t step, std::span<const int32_t>* out);
  Status ParseRegions(PlanProgram* program);
  // Each segment must begin where the one before ends, and the last must end with region 0.
  Status ParseSegments(const PlanProgram& program, PlanStep* steps) const;
  // Parses the steps of one region into steps[first] and following.
  Status ParseSteps(const schema::Region& region, const PlanProgram& program, int64_t first,
                    PlanStep* steps);
  Status ParseName(const schema::Step& step, int64_t i, PlanStep* out) const;
  Status ParseControl(const schema::Step& step, const PlanProgram& program, int64_t i,
                      PlanStep* out);
  // The arguments of region 0 are states, and its results are their values for the next run.
  Status ParseUpdates(const schema::Region& region, PlanProgram* program);
  Status ParsePorts(const flatbuffers::Vector<flatbuffers::Offset<schema::Port>>* vector,
                    const PlanProgram& program, const char* kind, std::span<const PlanPort>* out);
  Status ParseSignature(PlanProgram* program);

  const schema::Program& table_;
  int64_t index_;
  std::span<const PlanWeight> weights_;
  std::span<const PlanState> states_;
  std::span<const PlanSymbol> symbols_;
  std::span<const PlanProgram> earlier_;
  Region& region_;
  Diagnostic* diagnostic_;
};

}  // namespace linnet
