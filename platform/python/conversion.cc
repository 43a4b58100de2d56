// SPDX-License-Identifier: Apache-2.0
#include "platform/python/conversion.h"

#include <nanobind/stl/string.h>
#include <nanobind/stl/vector.h>

#include <algorithm>
#include <functional>
#include <mutex>
#include <optional>

#include "CLI/CLI.hpp"
#include "converter/cli/commands.h"
#include "converter/cli/convert_flags.h"
#include "converter/cli/convert_outcome.h"
#include "converter/cli/program.h"
#include "platform/python/report.h"

namespace linnet::python {
namespace nb = nanobind;
namespace {

// The converter is made for one thread.
std::mutex g_converter;

// Tells Python which stage begins. What that raises, an interrupt by the user too, waits until the
// conversion has ended.
class Progress {
 public:
  explicit Progress(const nb::object& callback) : callback_(callback) {}

  void Show(std::string_view stage) {
    const nb::gil_scoped_acquire lock;
    if (raised_) return;
    try {
      if (PyErr_CheckSignals() != 0) throw nb::python_error();
      if (!callback_.is_none()) callback_(nb::str(stage.data(), stage.size()));
    } catch (nb::python_error& error) {
      raised_.emplace(std::move(error));
    }
  }
  void RaiseWhatWasRaised() {
    if (raised_) throw nb::python_error(std::move(*raised_));
  }

 private:
  const nb::object& callback_;
  std::optional<nb::python_error> raised_;
};

cli::ConvertOutcome Convert(std::vector<std::string> words,
                            const std::function<void(std::string_view)>& progress) {
  CLI::App app;
  cli::ConvertArguments arguments;
  cli::AddConvertFlags(&app, &arguments);
  std::ranges::reverse(words);  // as CLI11 wants them
  try {
    app.parse(std::move(words));
  } catch (const CLI::ParseError& error) {
    cli::ConvertOutcome outcome;
    outcome.exit_code = cli::kUsage;
    outcome.error = std::string("linnet: ") + error.what() + "\n";
    return outcome;
  }
  const std::lock_guard lock(g_converter);
  return cli::ConvertAsAsked(arguments, progress);
}

Report ConvertWithProgress(std::vector<std::string> words, const nb::object& callback) {
  Progress progress(callback);
  const auto convert = [&] {
    const nb::gil_scoped_release others_may_run;
    return Convert(std::move(words), [&](std::string_view stage) { progress.Show(stage); });
  };
  Report report(convert());
  progress.RaiseWhatWasRaised();
  return report;
}

// The long flags of `linnet convert`: the name without its dashes, and "flag" (on or off), "one"
// (one value) or "many" (may be given several times).
nb::list ConvertFlags() {
  CLI::App app;
  cli::ConvertArguments arguments;
  cli::AddConvertFlags(&app, &arguments);
  nb::list flags;
  for (const CLI::Option* option : app.get_options()) {
    if (option->get_lnames().empty() || option == app.get_help_ptr()) continue;
    const char* kind = "one";
    if (option->get_items_expected_max() == 0)
      kind = "flag";
    else if (option->get_items_expected_max() > 1)
      kind = "many";
    flags.append(nb::make_tuple(option->get_lnames()[0], kind));
  }
  return flags;
}

int RunProgram(std::vector<std::string> words) {
  std::vector<char*> arguments;
  arguments.reserve(words.size() + 1);
  for (std::string& word : words) arguments.push_back(word.data());
  arguments.push_back(nullptr);
  const nb::gil_scoped_release others_may_run;
  return cli::RunProgram(static_cast<int>(words.size()), arguments.data());
}

}  // namespace

void BindConversion(nb::module_& module) {
  module.def("convert", &ConvertWithProgress, nb::arg("arguments"), nb::arg("progress").none());
  module.def("convert_flags", &ConvertFlags);
  module.def("run_program", &RunProgram, nb::arg("arguments"));
}

}  // namespace linnet::python
