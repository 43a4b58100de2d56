// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <string>
#include <utility>
#include <vector>

#include "CLI/CLI.hpp"
#include "converter/convert.h"

// Kinds of options that several subcommands have.
namespace linnet::cli {

// An option that may be given several times, with one value each: what follows may be MODEL.
inline void AddRepeated(CLI::App* command, const char* flag, const char* type, const char* help,
                        std::vector<std::string>* values) {
  command->add_option(flag, *values, help)->allow_extra_args(false)->type_name(type);
}

// An option whose words stand for the values of an enum; the first is the default.
template <typename Enum>
void AddChoice(CLI::App* command, const char* flag, const char* help, Enum* value,
               const std::vector<std::pair<std::string, Enum>>& words) {
  std::vector<std::string> names;
  names.reserve(words.size());
  for (const auto& [name, meaning] : words) names.push_back(name);
  const auto choose = [=](const std::string& word) {
    for (const auto& [name, meaning] : words)
      if (name == word) *value = meaning;
  };
  command->add_option_function<std::string>(flag, choose, help)
      ->check(CLI::IsMember(names))
      ->default_str(names[0]);
}

// --checkpoint.
inline void AddCheckpoint(CLI::App* command, std::string* value) {
  command
      ->add_option("--checkpoint", *value,
                   "TensorFlow's checkpoint with the variables of a .pb, .pbtxt or .meta: "
                   "train/model.ckpt-1000, or its folder, for the latest in it")
      ->type_name("PREFIX");
}

// --gpu-precision.
inline void AddGpuPrecision(CLI::App* command, const char* help, converter::GpuPrecision* value) {
  AddChoice(command, "--gpu-precision", help, value,
            {{"f32", converter::GpuPrecision::kF32}, {"f16", converter::GpuPrecision::kF16}});
}

}  // namespace linnet::cli
