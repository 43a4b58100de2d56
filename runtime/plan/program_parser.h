// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "runtime/plan/plan_view.h"

namespace linnet {

// Turns one program's tables into arrays.
class ProgramParser {
 public:
  // `earlier`: the programs before it in the plan. Writes `program`.
  ProgramParser(const schema::Program& table, int64_t index, const PlanView& view,
                std::span<const PlanProgram> earlier, Region& region, PlanProgram& program,
                Diagnostic* diagnostic)
      : table_(table),
        index_(index),
        weights_(view.weights),
        states_(view.states),
        symbols_(view.symbols),
        earlier_(earlier),
        region_(region),
        program_(program),
        diagnostic_(diagnostic) {}

  Status Parse();

 private:
  // What is parsed next, for errors.
  void At(const char* kind, int64_t item) {
    kind_ = kind;
    item_ = item;
  }
  Status Error(const char* what) const;
  Status Error(const char* what, const char* kind, int64_t item);
  Status CheckFeatures() const;
  Status ParseSpaces();
  Status ParseBuffers();
  Status ParseTensors();
  Status ParseTensor(const schema::Tensor& table, PlanTensor* tensor);
  // These read where a tensor is stored, after its type.
  Status PlaceInState(const schema::Tensor& table, PlanTensor* tensor) const;
  Status PlaceInBuffer(const schema::Tensor& table, PlanTensor* tensor) const;
  Status PlaceInWeight(const schema::Tensor& table, PlanTensor* tensor) const;
  bool IsSymbol(int64_t index) const;
  bool ParseSymbols(const flatbuffers::Vector<int32_t>& table, PlanTensor* tensor) const;
  Status ParseExtents(const schema::Step& table, PlanStep* step) const;
  // Checks a vector of tensor indices.
  Status ParseIndices(const flatbuffers::Vector<int32_t>* vector,
                      std::span<const int32_t>* out) const;
  Status ParseRegions();
  // Each segment must begin where the one before ends, and the last must end with region 0.
  Status ParseSegments(PlanStep* steps);
  // Which steps run in strips: ranges in order that do not overlap.
  Status ParseStrips();
  // Parses the steps of one region into steps[first] and following.
  Status ParseSteps(const schema::Region& region, int64_t first, PlanStep* steps);
  Status ParseName(const schema::Step& step, PlanStep* out) const;
  Status ParseControl(const schema::Step& step, PlanStep* out) const;
  // The arguments of region 0 are states, and its results are their values for the next run.
  Status ParseUpdates(const schema::Region& region);
  Status ParsePorts(const flatbuffers::Vector<flatbuffers::Offset<schema::Port>>* vector,
                    const char* kind, std::span<const PlanPort>* out);
  Status ParseSignature();

  const schema::Program& table_;
  int64_t index_;
  std::span<const PlanWeight> weights_;
  std::span<const PlanState> states_;
  std::span<const PlanSymbol> symbols_;
  std::span<const PlanProgram> earlier_;
  Region& region_;
  PlanProgram& program_;
  Diagnostic* diagnostic_;
  const char* kind_ = "";
  int64_t item_ = 0;
};

}  // namespace linnet
