// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "runtime/backends/vulkan/shader.h"

namespace linnet::vulkan {

// The unpacked module of a shader; empty when it has no such mode, or is damaged.
std::vector<uint32_t> WordsOf(Shader shader, ShaderMode mode);

// What a SPIR-V module of a shader wants to be given. Reads only the few instructions that say so.
class SpirvModule {
 public:
  explicit SpirvModule(std::span<const uint32_t> words);

  // "", or what is wrong with the module.
  const std::string& error() const { return error_; }
  // One entry per binding, in order: may the shader write it?
  const std::vector<bool>& WrittenBindings() const { return written_; }
  // The constant_ids of the specialisation constants.
  const std::vector<uint32_t>& ConstantIds() const { return constant_ids_; }
  // Numbers of the features that a device must have.
  const std::vector<uint32_t>& Capabilities() const { return capabilities_; }
  // Bytes of the push constants; 0 without any.
  int64_t PushBytes() const { return push_bytes_; }

 private:
  std::string error_;
  std::vector<bool> written_;
  std::vector<uint32_t> constant_ids_;
  std::vector<uint32_t> capabilities_;
  int64_t push_bytes_ = 0;
};

}  // namespace linnet::vulkan
