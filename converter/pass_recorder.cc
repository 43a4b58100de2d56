// SPDX-License-Identifier: Apache-2.0
#include "converter/pass_recorder.h"

#include <algorithm>
#include <filesystem>

#include "converter/graph/text/text.h"
#include "fmt/format.h"
#include "platform/file_writer.h"

namespace linnet::converter {

void PassRecorder::AfterPass(const PassRun& run, const Graph& graph) {
  if (options_.progress) options_.progress(run.pass);
  auto& passes = report_.passes;
  const auto same = std::ranges::find(passes, run.pass, &ConversionReport::PassRun::name);
  auto& row = same != passes.end() ? *same : passes.emplace_back();
  row.name = run.pass;
  row.rewrites += run.rewrites;
  row.ms += run.milliseconds;
  if (options_.dump_after == "all" || options_.dump_after == run.pass) Dump(run, graph);
}

void PassRecorder::Dump(const PassRun& run, const Graph& graph) {
  const std::filesystem::path directory = options_.dump_dir.empty() ? "." : options_.dump_dir;
  std::error_code error;
  std::filesystem::create_directories(directory, error);
  const auto path = directory / fmt::format("{:03}_{}.txt", count_++, run.pass);
  const std::string text = PrintGraph(graph);
  FileWriter file(path.string());
  file.Write(text.data(), text.size());
  if (!file.Commit()) problem_ = file.problem();
}

}  // namespace linnet::converter
