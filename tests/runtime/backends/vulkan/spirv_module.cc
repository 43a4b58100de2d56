// SPDX-License-Identifier: Apache-2.0
#include "tests/runtime/backends/vulkan/spirv_module.h"

#include <algorithm>
#include <map>
#include <set>

#include "runtime/backends/vulkan/spirv_packing.h"

namespace linnet::vulkan {
namespace {

// Numbers of the SPIR-V specification.
enum Instruction : uint32_t {
  kCapability = 17,
  kTypeArray = 28,
  kTypeStruct = 30,
  kTypePointer = 32,
  kConstant = 43,
  kVariable = 59,
  kDecorate = 71,
  kMemberDecorate = 72,
};
enum Decoration : uint32_t { kSpecId = 1, kNonWritable = 24, kBinding = 33, kOffset = 35 };
enum StorageClass : uint32_t { kPushConstant = 9, kStorageBuffer = 12 };

// The declarations of a module, by the numbers of their results.
struct Declarations {
  std::map<uint32_t, uint32_t> pointees;                     // of pointer types
  std::map<uint32_t, std::vector<uint32_t>> members;         // types of a struct's members
  std::map<uint32_t, std::pair<uint32_t, uint32_t>> arrays;  // type of elements, their number
  std::map<uint32_t, uint32_t> constants;
  std::map<uint32_t, uint32_t> bindings;                     // of variables
  std::map<uint32_t, std::map<uint32_t, uint32_t>> offsets;  // of a struct's members
  std::set<uint32_t> read_only;                              // structs
  std::vector<uint32_t> constant_ids;
  std::vector<uint32_t> capabilities;
  std::vector<std::pair<uint32_t, uint32_t>> buffers;  // variables with their pointer types
  uint32_t push_constants = 0;                         // pointer type, or 0

  void Decorate(std::span<const uint32_t> words) {
    if (words[2] == kSpecId) constant_ids.push_back(words[3]);
    if (words[2] == kBinding) bindings[words[1]] = words[3];
  }
  void DecorateMember(std::span<const uint32_t> words) {
    if (words[3] == kNonWritable) read_only.insert(words[1]);
    if (words[3] == kOffset) offsets[words[1]][words[2]] = words[4];
  }
  void DeclareVariable(std::span<const uint32_t> words) {
    if (words[3] == kStorageBuffer) buffers.emplace_back(words[2], words[1]);
    if (words[3] == kPushConstant) push_constants = words[1];
  }
  void Read(uint32_t instruction, std::span<const uint32_t> words) {
    if (instruction == kCapability) capabilities.push_back(words[1]);
    if (instruction == kTypePointer) pointees[words[1]] = words[3];
    if (instruction == kTypeStruct) members[words[1]] = {words.begin() + 2, words.end()};
    if (instruction == kTypeArray) arrays[words[1]] = {words[2], words[3]};
    if (instruction == kConstant) constants[words[2]] = words[3];
    if (instruction == kVariable) DeclareVariable(words);
    if (instruction == kDecorate) Decorate(words);
    if (instruction == kMemberDecorate) DecorateMember(words);
  }
  // Of numbers of 32 bits, arrays of them, and structs of these.
  int64_t BytesOf(uint32_t type) {
    if (arrays.contains(type)) return BytesOf(arrays[type].first) * constants[arrays[type].second];
    if (!members.contains(type)) return 4;
    int64_t bytes = 0;
    for (uint32_t i = 0; i < members[type].size(); ++i)
      bytes = std::max(bytes, offsets[type][i] + BytesOf(members[type][i]));
    return bytes;
  }
};

}  // namespace

std::vector<uint32_t> WordsOf(Shader shader, ShaderMode mode) {
  const std::span<const uint8_t> packed = PackedSpirvOf(shader, mode);
  std::vector<uint32_t> words(NumSpirvWords(packed));
  if (!UnpackSpirv(packed, words)) words.clear();
  return words;
}

SpirvModule::SpirvModule(std::span<const uint32_t> words) {
  constexpr uint32_t kMagic = 0x07230203;
  constexpr size_t kHeader = 5;
  if (words.size() < kHeader || words[0] != kMagic) {
    error_ = "is not SPIR-V";
    return;
  }
  Declarations declared;
  for (size_t at = kHeader; at < words.size();) {
    const size_t length = words[at] >> 16;
    if (length == 0 || length > words.size() - at) {
      error_ = "an instruction has a wrong length";
      return;
    }
    declared.Read(words[at] & 0xffff, words.subspan(at, length));
    at += length;
  }
  std::map<uint32_t, bool> written;
  for (const auto& [variable, pointer] : declared.buffers)
    written[declared.bindings[variable]] = !declared.read_only.contains(declared.pointees[pointer]);
  for (const auto& [binding, is_written] : written) {
    if (binding != written_.size()) error_ = "bindings have gaps";
    written_.push_back(is_written);
  }
  constant_ids_ = declared.constant_ids;
  capabilities_ = declared.capabilities;
  if (declared.push_constants != 0)
    push_bytes_ = declared.BytesOf(declared.pointees[declared.push_constants]);
}

}  // namespace linnet::vulkan
