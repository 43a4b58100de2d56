// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <string>

#include "converter/convert_options.h"
#include "converter/pipeline.h"
#include "converter/report/report.h"

namespace linnet::converter {

// Records for the report what each pass did, and writes the dumps that --dump-after asks for.
class PassRecorder {
 public:
  PassRecorder(const ConvertOptions& options, ConversionReport* report)
      : options_(options), report_(*report) {}

  void AfterPass(const PassRun& run, const Graph& graph);
  // Empty, or which dump could not be written.
  const std::string& problem() const { return problem_; }

 private:
  void Dump(const PassRun& run, const Graph& graph);

  const ConvertOptions& options_;
  ConversionReport& report_;
  int count_ = 0;
  std::string problem_;
};

}  // namespace linnet::converter
