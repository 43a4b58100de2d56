// SPDX-License-Identifier: Apache-2.0
#include "runtime/tools/outputs.h"

#include <sys/stat.h>

#include <algorithm>
#include <cerrno>
#include <cstring>

#include "runtime/core/dtype.h"
#include "runtime/core/printable.h"
#include "runtime/tools/current_shape.h"
#include "runtime/tools/npy.h"

namespace linnet::tools {

std::vector<Output> ReadOutputs(const linnet_session* session) {
  std::vector<Output> outputs(static_cast<size_t>(linnet_session_num_outputs(session)));
  for (size_t i = 0; i < outputs.size(); ++i) {
    const auto index = static_cast<int32_t>(i);
    Output& output = outputs[i];
    output.info = OutputNow(session, index);
    output.name = output.info.name;
    output.summary = Summarize(output.info, linnet_session_output_data(session, index));
  }
  return outputs;
}

std::string MakeFolder(const std::string& folder) {
  if (mkdir(folder.c_str(), 0777) == 0 || errno == EEXIST) return "";
  return "cannot create " + folder + ": " + std::strerror(errno);
}

std::string WriteOutputs(const linnet_session* session, const std::string& folder,
                         std::vector<Output>* outputs) {
  for (size_t i = 0; i < outputs->size(); ++i) {
    Output& output = (*outputs)[i];
    const std::string file = folder + "/" + FileNameOf(output.name) + ".npy";
    const void* data = linnet_session_output_data(session, static_cast<int32_t>(i));
    if (std::string problem = WriteNpy(file, output.info, data); !problem.empty()) return problem;
    output.file = file;
  }
  return "";
}

std::string OutputsText(const std::vector<Output>& outputs) {
  size_t width = 0;
  for (const Output& output : outputs) width = std::max(width, Printable(output.name).size());
  std::string text;
  for (const Output& output : outputs) {
    std::string name = Printable(output.name);
    name.resize(width, ' ');
    text += name + "  " + SummaryText(output.info, output.summary);
    if (!output.file.empty()) text += "  -> " + Printable(output.file);
    text += '\n';
  }
  return text;
}

void AddOutputs(const std::vector<Output>& outputs, JsonWriter& json) {
  json.Key("outputs").BeginObject();
  for (const Output& output : outputs)
    if (!output.file.empty()) json.Key(output.name).Value(output.file);
  json.EndObject();
  json.Key("tensors").BeginObject();
  for (const Output& output : outputs) {
    json.Key(output.name).BeginObject();
    json.Key("dtype").Value(DTypeName(static_cast<DType>(output.info.dtype)));
    json.Key("shape").BeginArray();
    for (int i = 0; i < output.info.rank; ++i) json.Value(output.info.dims[i]);
    json.EndArray();
    json.Key("min").Value(output.summary.min).Key("max").Value(output.summary.max);
    json.EndObject();
  }
  json.EndObject();
}

}  // namespace linnet::tools
