// SPDX-License-Identifier: Apache-2.0
#include "tests/fuzz/structure/plan_file.h"

#include <algorithm>
#include <cstring>
#include <memory>

#include "runtime/core/checked.h"
#include "runtime/plan/file_header.h"

namespace linnet::fuzz {
namespace {

constexpr size_t kMaxStructure = 48 << 10;
constexpr size_t kMaxWeights = 1 << 20;  // several weights may share the same bytes

// The part that the header names, clipped to the file: truncated files are tested by fuzz_plan.
std::span<const uint8_t> Part(std::span<const uint8_t> file, uint64_t offset, uint64_t bytes) {
  if (offset > file.size()) return {};
  return file.subspan(offset, std::min<uint64_t>(bytes, file.size() - offset));
}

}  // namespace

std::optional<PlanFile> ReadPlanFile(std::span<const uint8_t> file) {
  FileHeader header;
  if (file.size() < sizeof(header)) return std::nullopt;
  std::memcpy(&header, file.data(), sizeof(header));
  const std::span<const uint8_t> part = Part(file, header.structure_offset, header.structure_bytes);
  if (part.empty() || part.size() > kMaxStructure) return std::nullopt;
  const std::vector<uint8_t> structure(part.begin(), part.end());
  flatbuffers::Verifier verifier(structure.data(), structure.size(), /*max_depth=*/16,
                                 /*max_tables=*/static_cast<uint32_t>(structure.size() / 4 + 16));
  if (!schema::VerifyPlanBuffer(verifier)) return std::nullopt;
  PlanFile result;
  schema::GetPlan(structure.data())->UnPackTo(&result.plan);
  const std::span<const uint8_t> weights = Part(file, header.weights_offset, header.weights_bytes);
  size_t total = 0;
  for (const auto& weight : result.plan.weights) {
    const std::span<const uint8_t> bytes = Part(weights, weight->offset, weight->size);
    total += bytes.size();
    if (total > kMaxWeights) return std::nullopt;
    result.weights.emplace_back(bytes.begin(), bytes.end());
  }
  return result;
}

std::vector<uint8_t> WritePlanFile(PlanFile& file) {
  int64_t end = 0;
  for (size_t i = 0; i < file.weights.size(); ++i) {
    schema::WeightT& weight = *file.plan.weights[i];
    weight.offset = static_cast<uint64_t>(AlignUp(end, kWeightAlignment));
    weight.size = file.weights[i].size();
    end = static_cast<int64_t>(weight.offset + weight.size);
  }
  flatbuffers::FlatBufferBuilder fbb;
  schema::FinishPlanBuffer(fbb, schema::Plan::Pack(fbb, &file.plan));
  const FileHeader header =
      LayOutFile(fbb.GetSize(), file.weights.empty() ? 0 : end + kWeightTail, kWeightAlignment);
  std::vector<uint8_t> bytes(header.file_bytes);
  std::memcpy(bytes.data(), &header, sizeof(header));
  std::memcpy(bytes.data() + header.structure_offset, fbb.GetBufferPointer(), fbb.GetSize());
  for (size_t i = 0; i < file.weights.size(); ++i)
    if (!file.weights[i].empty())
      std::memcpy(bytes.data() + header.weights_offset + file.plan.weights[i]->offset,
                  file.weights[i].data(), file.weights[i].size());
  return bytes;
}

}  // namespace linnet::fuzz
