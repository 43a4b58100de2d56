// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <string>
#include <vector>

#include "linnet/linnet.h"
#include "runtime/tools/json_writer.h"
#include "runtime/tools/tensor_summary.h"

namespace linnet::tools {

// An output of the last run of a session.
struct Output {
  std::string name;
  linnet_tensor_info info{};  // with the shape of that run
  TensorSummary summary;
  std::string file;  // where it was written, or ""
};

// Reads all outputs.
std::vector<Output> ReadOutputs(const linnet_session* session);

// Creates the folder for WriteOutputs, if there is none. Returns "", or what went wrong.
std::string MakeFolder(const std::string& folder);

// Writes each output to `folder`/NAME.npy, and that name into it. Returns "", or what went wrong.
std::string WriteOutputs(const linnet_session* session, const std::string& folder,
                         std::vector<Output>* outputs);

// A line for each: its name, what it holds, its file.
std::string OutputsText(const std::vector<Output>& outputs);

// The keys "outputs" {name: file} and "tensors" {name: {dtype, shape, min, max}} of an open object.
void AddOutputs(const std::vector<Output>& outputs, JsonWriter& json);

}  // namespace linnet::tools
