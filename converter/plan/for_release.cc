// SPDX-License-Identifier: Apache-2.0
#include "converter/plan/for_release.h"

#include <algorithm>
#include <utility>

#include "converter/plan/margins.h"
#include "fmt/format.h"
#include "fmt/ranges.h"
#include "runtime/core/encoding.h"

namespace linnet::converter {
namespace {

std::string NameOf(const schema::StepT& step) {
  return step.sources.empty() ? "a step without a name" : step.sources[0];
}

bool IsIndexOf(int index, size_t size) { return index >= 0 && static_cast<size_t>(index) < size; }

// Collects what a release does not know, and for each the nodes that need it, in order.
class TooNew {
 public:
  TooNew(const PlanStructure& plan, const Release& release) : plan_(plan), release_(release) {}

  std::vector<std::string> Find() {
    for (const std::string& feature : plan_.required_features) CheckFeature(feature, {});
    for (const auto& program : plan_.programs) CheckProgram(*program);
    std::vector<std::string> sentences;
    for (const auto& [what, nodes] : found_)
      sentences.push_back(fmt::format("release {} does not know {}{}", release_.name, what,
                                      nodes.empty() ? "" : Needing(nodes)));
    return sentences;
  }

 private:
  using Nodes = std::vector<std::string>;

  static std::string Needing(const Nodes& nodes) {
    return fmt::format(", which is needed by {}", fmt::join(nodes, ", "));
  }

  Nodes& Found(const std::string& what) {
    const auto at = std::ranges::find(found_, what, &std::pair<std::string, Nodes>::first);
    return at != found_.end() ? at->second : found_.emplace_back(what, Nodes()).second;
  }
  void AddNode(const std::string& what, const std::string& node) {
    Nodes& nodes = Found(what);
    if (std::ranges::find(nodes, node) == nodes.end()) nodes.push_back(node);
  }

  void CheckFeature(const std::string& name, const Nodes& nodes) {
    const Feature* feature = FindFeature(name);
    if (feature != nullptr && feature->minor <= release_.minor) return;
    const std::string what = fmt::format("the feature '{}' of plans", name);
    Found(what);
    for (const std::string& node : nodes) AddNode(what, node);
  }

  void CheckProgram(const schema::ProgramT& program) {
    for (const std::string& feature : program.required_features)
      CheckFeature(feature, NodesWith(feature, program));
    for (const auto& region : program.regions)
      for (const auto& step : region->steps) CheckStep(*step, program);
  }

  void CheckStep(const schema::StepT& step, const schema::ProgramT& program) {
    if (step.control == schema::Control::None && step.op > release_.last_op)
      AddNode(fmt::format("the op {}", schema::EnumNameOpKind(step.op)), NameOf(step));
    for (const int tensor : step.inputs) {
      // Indices out of range are bugs, which the verifier reports afterwards.
      if (!IsIndexOf(tensor, program.tensors.size())) continue;
      const int weight = program.tensors[static_cast<size_t>(tensor)]->weight;
      if (!IsIndexOf(weight, plan_.weights.size())) continue;
      const schema::Encoding encoding = plan_.weights[static_cast<size_t>(weight)]->encoding;
      if (encoding > release_.last_encoding)
        AddNode(fmt::format("weights encoded as {}", EncodingName(encoding)), NameOf(step));
    }
  }

  // The names of the steps for which a program has the feature; none for one that this version does
  // not know.
  static Nodes NodesWith(std::string_view feature, const schema::ProgramT& program) {
    Nodes nodes;
    for (const auto& region : program.regions)
      for (const auto& step : region->steps)
        if ((feature == kRegionsFeature && !step->regions.empty()) ||
            (feature == kMarginsFeature && ComputesMargins(*step)))
          nodes.push_back(NameOf(*step));
    for (const schema::Strips& strips : program.strips)
      for (uint32_t i = 0; feature == kStripsFeature && i < strips.count(); ++i)
        nodes.push_back(NameOf(*program.regions[0]->steps[strips.first() + i]));
    for (const auto& segment : program.segments) {
      const schema::SpaceT& space = *program.spaces[segment->backend];
      const bool needs = feature == kSegmentsFeature ||
                         (feature == kLayoutsFeature && space.layout != schema::Layout::Dense) ||
                         (feature == kHalfFeature && space.layout == schema::Layout::Rows4Half);
      if (segment->backend == 0 || !needs) continue;
      const auto& steps = program.regions[0]->steps;
      for (uint32_t i = 0; i < segment->count; ++i)
        nodes.push_back(NameOf(*steps[segment->first + i]));
    }
    return nodes;
  }

  const PlanStructure& plan_;
  const Release& release_;
  std::vector<std::pair<std::string, Nodes>> found_;
};

}  // namespace

const Release* FindRelease(std::string_view name) {
  // The patch number, if there is one, is the third.
  const size_t second = name.find('.', name.find('.') + 1);
  const bool has_patch = second != std::string_view::npos && second + 1 < name.size() &&
                         name.find_first_not_of("0123456789", second + 1) == std::string_view::npos;
  const auto* found =
      std::ranges::find(kReleases, has_patch ? name.substr(0, second) : name, &Release::name);
  return found == std::end(kReleases) ? nullptr : found;
}

std::string KnownReleases() {
  std::string names;
  for (const Release& release : kReleases)
    names += fmt::format("{}{}", names.empty() ? "" : ", ", release.name);
  return names;
}

std::vector<std::string> TooNewFor(const PlanStructure& plan, const Release& release) {
  return TooNew(plan, release).Find();
}

const Release& OldestReleaseFor(const PlanStructure& plan) {
  for (const Release& release : kReleases)
    if (TooNewFor(plan, release).empty()) return release;
  return kThisRelease;
}

}  // namespace linnet::converter
