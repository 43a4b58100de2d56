// SPDX-License-Identifier: Apache-2.0
#include "converter/report/text.h"

#include <algorithm>
#include <iterator>

#include "converter/graph/text/constant_text.h"
#include "converter/report/units.h"
#include "fmt/format.h"
#include "runtime/backends/xnnpack/support.h"
#include "runtime/core/printable.h"
#include "runtime/core/tensor_name.h"

namespace linnet::converter {
namespace {

constexpr size_t kLineWidth = 100;

// Ops by number, the most frequent first: "Conv2D 52", "Binary 10".
std::vector<std::string> CountsText(const std::map<std::string, int64_t>& counts) {
  std::vector<std::pair<std::string, int64_t>> rows(counts.begin(), counts.end());
  std::ranges::stable_sort(rows, std::greater(), &std::pair<std::string, int64_t>::second);
  std::vector<std::string> words;
  words.reserve(rows.size());
  for (const auto& [name, count] : rows) words.push_back(fmt::format("{} {}", name, count));
  return words;
}

// "i32[1,1..128]"
std::string PortTypeText(const ConversionReport::Port& port) {
  if (port.smallest.empty()) return TypeText(port.type);
  std::vector<std::string> dims;
  for (int i = 0; i < port.type.shape.rank(); ++i) {
    const int64_t smallest = port.smallest[static_cast<size_t>(i)], largest = port.type.shape[i];
    dims.push_back(smallest == largest ? fmt::format("{}", largest)
                                       : fmt::format("{}..{}", smallest, largest));
  }
  return fmt::format("{}[{}]", DTypeName(port.type.dtype), fmt::join(dims, ","));
}

class TextWriter {
 public:
  explicit TextWriter(const ConversionReport& report) : report_(report) {}

  std::string Write() {
    Row("model", report_.format.empty() ? report_.model
                                        : fmt::format("{} ({})", report_.model, report_.format));
    if (!report_.signature.empty()) Row("signature", report_.signature);
    Ports("inputs", report_.inputs);
    Ports("outputs", report_.outputs);
    Passes();
    Ops("ops before", report_.ops_before);
    Ops("ops after", report_.ops_after);
    RunsOn("runs on", report_);
    if (report_.variants.empty()) Devices();
    Forecast();
    Sizes();
    for (const ConversionReport& variant : report_.variants) Variant(variant);
    Times();
    for (const std::string& note : report_.notes) Row("note", note);
    return std::move(text_);
  }

 private:
  template <typename... Args>
  void Line(fmt::format_string<Args...> format, Args&&... args) {
    fmt::format_to(std::back_inserter(text_), format, std::forward<Args>(args)...);
    text_ += '\n';
  }
  void Row(std::string_view title, std::string_view value) { Line("{:<11} {}", title, value); }

  // `words` behind `title`, wrapped.
  void Words(std::string_view title, const std::vector<std::string>& words) {
    std::string line = fmt::format("{:<11}", title);
    for (size_t i = 0; i < words.size(); ++i) {
      if (line.size() + words[i].size() + 2 > kLineWidth) {
        Line("{}", line);
        line = std::string(11, ' ');
      }
      line += ' ' + words[i] + (i + 1 < words.size() ? "," : "");
    }
    Line("{}", line);
  }

  void Ports(std::string_view title, const std::vector<ConversionReport::Port>& ports) {
    for (const ConversionReport::Port& port : ports) {
      const bool same = SameTensor(port.source, port.name);
      Row(&port == ports.data() ? title : "",
          fmt::format("{} {}{}", port.name, PortTypeText(port),
                      same ? "" : fmt::format("  (tensor {})", port.source)));
    }
  }

  void Passes() {
    if (report_.passes.empty()) return;
    size_t width = 0;
    for (const auto& pass : report_.passes) width = std::max(width, pass.name.size());
    Line("{:<11} {:<{}}  rewrites       ms", "passes", "", width);
    int idle = 0;
    for (const auto& pass : report_.passes) {
      if (pass.rewrites == 0 && pass.ms < 1.0)
        ++idle;
      else
        Line("{:<11} {:<{}}  {:>8}  {:>7.1f}", "", pass.name, width, pass.rewrites, pass.ms);
    }
    if (idle > 0) Line("{:<11} {} had nothing to do", "", CountText(idle, "other"));
  }

  void Ops(std::string_view title, const std::map<std::string, int64_t>& counts) {
    if (counts.empty()) return;
    int64_t total = 0;
    for (const auto& [op, count] : counts) total += count;
    std::vector<std::string> words = CountsText(counts);
    words[0] = fmt::format("{}: {}", total, words[0]);
    Words(title, words);
  }

  void RunsOn(const char* title, const ConversionReport& program) {
    struct Share {
      int64_t steps = 0, macs = 0;
      std::map<std::string, int64_t> reasons;  // "Pad: constant padding only" -> steps
    };
    std::map<std::string, Share, std::greater<>> shares;  // xnnpack before portable
    int64_t macs = 0;
    for (const ConversionReport::Step& step : program.steps) {
      Share& share = shares[step.backend];
      ++share.steps;
      share.macs += step.macs;
      macs += step.macs;
      if (step.backend != "none" && !step.reason.empty())
        ++share.reasons[fmt::format("{}: {}", step.op, step.reason)];
    }
    for (const auto& [backend, share] : shares) {
      const std::string steps = CountText(share.steps, "step");
      if (backend == "control") {
        Row(title, fmt::format("control: {} that run others", steps));
      } else if (backend == "copy") {
        Row(title, fmt::format("copy: {} between devices", steps));
      } else if (backend == "none") {
        Row(title, fmt::format("nothing: {} whose output is the input's memory", steps));
      } else {
        const double percent = macs == 0 ? 0.0 : 100.0 * static_cast<double>(share.macs) / macs;
        Row(title,
            fmt::format("{}: {}, {} ({:.0f} %)", backend, steps, MacsText(share.macs), percent));
      }
      title = "";
      for (const auto& [reason, count] : share.reasons) Line("{:<11}   {} x {}", "", count, reason);
    }
  }

  void Forecast() {
    if (report_.steps.empty()) return;
    const xnnpack::XnnpackFeatures features = xnnpack::PackageFeatures();
    const std::string package =
        features.available ? fmt::format("with {}", features.library) : "without XNNPACK";
    Row("", fmt::format("This is a forecast for a runtime {}, as in this build.", package));
  }

  // Another program of the same signature.
  void Variant(const ConversionReport& program) {
    Row("program",
        fmt::format("'{}', which runs instead where such a device can be used:", program.variant));
    RunsOn("", program);
    Devices();
    Memory("", program.memory);
  }

  // Only where steps run on more than one device.
  void Devices() {
    const ConversionReport::Devices& placement = report_.placement;
    if (placement.shares.size() < 2) return;
    for (const auto& share : placement.shares)
      Row("", fmt::format("{}: {}, about {:.0f} us", share.device, CountText(share.steps, "step"),
                          share.estimated_us));
    Row("", fmt::format("{}, {} copied between devices", CountText(placement.segments, "segment"),
                        BytesText(placement.copy_bytes)));
  }

  void Memory(const char* title, const ConversionReport::Memory& memory) {
    Row(title, fmt::format("arena {} / lower bound {} / naive {}", BytesText(memory.arena_bytes),
                           BytesText(memory.lower_bound), BytesText(memory.naive)));
    for (const ConversionReport::DeviceMemory& space : memory.devices)
      Row("", fmt::format("{} {} / lower bound {} / naive {}, layout {}", space.device,
                          BytesText(space.bytes), BytesText(space.lower_bound),
                          BytesText(space.naive), space.layout));
  }

  void Sizes() {
    if (report_.steps.empty() && report_.weights.count == 0) return;
    Memory("memory", report_.memory);
    if (!report_.strips.empty()) {
      int steps = 0;
      for (const ConversionReport::Strips& strips : report_.strips) steps += strips.count;
      Row("", fmt::format("{} of {} run in strips, {} together", steps,
                          CountText(std::ssize(report_.steps), "step"),
                          CountText(std::ssize(report_.strips), "group")));
    }
    std::string encodings;
    for (const auto& [name, bytes] : report_.weights.by_encoding)
      encodings += fmt::format("{}{} {}", encodings.empty() ? "" : ", ", BytesText(bytes), name);
    Row("weights", fmt::format("{}: {}", CountText(report_.weights.count, "tensor"),
                               encodings.empty() ? "0 B" : encodings));
    if (report_.plan_bytes == 0) return;
    Row("plan", fmt::format("{}{}", report_.plan.empty() ? "" : report_.plan + ", ",
                            BytesText(report_.plan_bytes)));
  }

  void Times() {
    if (report_.total_ms <= 0.0) return;
    std::string stages;
    for (const auto& stage : report_.stages)
      stages += fmt::format("{}{} {}", stages.empty() ? "" : ", ", stage.name,
                            MillisecondsText(stage.ms));
    Row("time", fmt::format("{} ({}), peak memory {}", MillisecondsText(report_.total_ms), stages,
                            BytesText(report_.peak_rss_bytes)));
  }

  const ConversionReport& report_;
  std::string text_;
};

}  // namespace

std::string ReportText(const ConversionReport& report) {
  return PrintableLines(TextWriter(report).Write());
}

std::string StepsText(const ConversionReport& report) {
  std::string text;
  for (size_t i = 0; i < report.steps.size(); ++i) {
    const ConversionReport::Step& step = report.steps[i];
    if (step.region > 0 && step.region != report.steps[i - 1].region) {
      const ConversionReport::Region& region = report.regions[step.region - 1];
      text += fmt::format("region {}: {} of step {}\n", step.region, region.role, region.step);
    }
    if (step.strips >= 0 &&
        report.strips[static_cast<size_t>(step.strips)].first == static_cast<int>(i)) {
      const ConversionReport::Strips& strips = report.strips[static_cast<size_t>(step.strips)];
      text +=
          fmt::format("strips: steps {} to {}, {} rows at a time, which take {}\n", strips.first,
                      strips.first + strips.count - 1, strips.rows, BytesText(strips.bytes));
    }
    text += fmt::format("{:>4}  {:<16} {:<24} {}", i, step.op, TypeText(step.output), step.source);
    if (!step.attributes.empty()) text += "  " + step.attributes;
    if (step.macs > 0) text += fmt::format("  {}", MacsText(step.macs));
    if (step.scratch_bytes > 0 && step.strips < 0)
      text += fmt::format("  scratch {}", BytesText(step.scratch_bytes));
    text += step.backend == "copy" ? fmt::format("  [to {}]\n", step.device)
                                   : fmt::format("  [{}]\n", step.backend);
  }
  for (const ConversionReport& variant : report.variants)
    text += fmt::format("\nprogram '{}':\n{}", variant.variant, StepsText(variant));
  return PrintableLines(text);
}

}  // namespace linnet::converter
