// SPDX-License-Identifier: Apache-2.0
#include "converter/plan/choose_strips.h"

#include <algorithm>
#include <array>
#include <limits>
#include <memory>
#include <utility>

#include "converter/plan/strip_cost.h"

namespace linnet::converter {
namespace {

constexpr int64_t kHeights[] = {1, 2, 4, 6, 8, 12, 16, 24, 32};
// Tensors that together are smaller stay in any cache.
constexpr int64_t kLeastMapBytes = 64 << 10;

// A step as an op's rules see it.
struct StepView {
  std::vector<InputInfo> inputs;
  std::array<TensorType, kMaxOpOutputs> outputs;
  OpInstance op;
};

std::unique_ptr<StepView> ViewOf(const Program& program, const Program::Step& step) {
  auto view = std::make_unique<StepView>();
  for (const int tensor : step.inputs) {
    const Program::Tensor& info = program.tensors[static_cast<size_t>(tensor)];
    view->inputs.push_back({.type = info.type, .is_constant = info.weight >= 0});
  }
  for (size_t i = 0; i < step.outputs.size(); ++i)
    view->outputs[i] = program.tensors[static_cast<size_t>(step.outputs[i])].type;
  view->op = {step.node->kind(), step.node->attrs().data(), view->inputs,
              std::span(view->outputs).first(step.outputs.size())};
  return view;
}

// Steps [first, first + count) of an order.
struct Choice {
  int first = 0, count = 1;
  int64_t rows = 0;  // 0: not in strips
  int64_t bytes = 0;
};

class Chooser {
 public:
  Chooser(StripUse use, Program* program) : use_(use), program_(*program) {}

  void Run(std::vector<StepScratch>* scratch) {
    Order();
    FindReaders();
    std::vector<Choice> choices = Choose();
    Apply(choices, scratch);
  }

 private:
  // Depth first: a step stands directly behind the one whose output it reads, where it can.
  void Order() {
    const auto count = static_cast<int>(program_.steps.size());
    std::vector<std::vector<int>> readers(program_.tensors.size());
    std::vector<int> missing(static_cast<size_t>(count), 0);
    std::vector<int> writer(program_.tensors.size(), -1);
    for (int i = 0; i < count; ++i)
      for (const int output : Step(i).outputs) writer[static_cast<size_t>(output)] = i;
    for (int i = 0; i < count; ++i) {
      for (const int input : Step(i).inputs) {
        if (writer[static_cast<size_t>(input)] < 0) continue;
        readers[static_cast<size_t>(input)].push_back(i);
        ++missing[static_cast<size_t>(i)];
      }
    }
    std::vector<int> ready;
    for (int i = count - 1; i >= 0; --i)
      if (missing[static_cast<size_t>(i)] == 0) ready.push_back(i);
    while (!ready.empty()) {
      const int step = ready.back();
      ready.pop_back();
      order_.push_back(step);
      std::vector<int> next;
      for (const int output : Step(step).outputs)
        for (const int reader : readers[static_cast<size_t>(output)])
          if (--missing[static_cast<size_t>(reader)] == 0) next.push_back(reader);
      std::ranges::sort(next, std::greater());
      ready.insert(ready.end(), next.begin(), next.end());
    }
  }

  void FindReaders() {
    last_reader_.assign(program_.tensors.size(), -1);
    const auto never_ends = [&](int tensor) {
      last_reader_[static_cast<size_t>(tensor)] = std::numeric_limits<int>::max();
    };
    for (int at = 0; at < static_cast<int>(order_.size()); ++at)
      for (const int input : At(at).inputs) last_reader_[static_cast<size_t>(input)] = at;
    for (const Program::Port& port : program_.outputs) never_ends(port.tensor);
    for (const Program::Update& update : program_.updates) never_ends(update.next);
  }

  std::vector<Choice> Choose() {
    const auto count = static_cast<int>(order_.size());
    for (int at = 0; at < count; ++at)
      views_.push_back(MayBePart(At(at)) ? ViewOf(program_, At(at)) : nullptr);
    // best[i]: the most that the first i steps can save, and how the last of them do.
    std::vector<double> best(static_cast<size_t>(count) + 1, 0);
    std::vector<Choice> chosen(static_cast<size_t>(count) + 1);
    std::vector<std::pair<double, Choice>> found;
    std::vector<std::vector<std::pair<double, Choice>>> by_end(static_cast<size_t>(count) + 1);
    for (int first = 0; first < count; ++first) {
      found.clear();
      AddChains(first, &found);
      for (const auto& [saved, choice] : found)
        by_end[static_cast<size_t>(first + choice.count)].emplace_back(saved, choice);
    }
    for (int end = 1; end <= count; ++end) {
      const auto index = static_cast<size_t>(end);
      best[index] = best[index - 1];
      chosen[index] = {.first = end - 1};
      for (const auto& [saved, choice] : by_end[index]) {
        const double sum = best[static_cast<size_t>(choice.first)] + saved;
        if (sum <= best[index]) continue;
        best[index] = sum;
        chosen[index] = choice;
      }
    }
    std::vector<Choice> choices;
    for (int end = count; end > 0; end = choices.back().first)
      choices.push_back(chosen[static_cast<size_t>(end)]);
    std::ranges::reverse(choices);
    return choices;
  }

  bool MayBePart(const Program::Step& step) const {
    if (step.is_copy || step.node->IsStructured() || step.outputs.size() != 1) return false;
    if (!step.attr_extents.empty() || !step.sets.empty()) return false;
    const auto is_fixed = [&](int tensor) {
      const Program::Tensor& info = program_.tensors[static_cast<size_t>(tensor)];
      return info.symbols.empty() && info.region == 0;
    };
    return std::ranges::all_of(step.inputs, is_fixed) && is_fixed(step.outputs[0]);
  }

  // All that begin with this step, each with its best height.
  void AddChains(int first, std::vector<std::pair<double, Choice>>* found) const {
    auto chain = std::make_unique<StripChain>();
    StripTraffic traffic;
    int must_reach = first;  // the last step that reads what those before the end make
    for (int at = first; at < static_cast<int>(order_.size()); ++at) {
      if (views_[static_cast<size_t>(at)] == nullptr) return;
      const Program::Step& step = At(at);
      const int output = step.outputs[0];
      if (chain->Add(views_[static_cast<size_t>(at)]->op, step.inputs, output) != nullptr) return;
      AddWeights(step, &traffic);
      if (at > first && must_reach <= at) AddBestHeight(chain.get(), traffic, first, found);
      if (last_reader_[static_cast<size_t>(output)] < at) return;  // read by nobody
      must_reach = std::max(must_reach, last_reader_[static_cast<size_t>(output)]);
      if (must_reach - first >= kMaxStripParts) return;
      const int64_t bytes =
          program_.tensors[static_cast<size_t>(output)].type.bytes() / chain->pictures();
      traffic.map_bytes += bytes;
      traffic.largest_map = std::max(traffic.largest_map, bytes);
    }
  }

  void AddWeights(const Program::Step& step, StripTraffic* traffic) const {
    for (const int input : step.inputs) {
      const Program::Tensor& info = program_.tensors[static_cast<size_t>(input)];
      if (info.weight >= 0) traffic->weight_bytes += info.type.bytes();
    }
  }

  void AddBestHeight(StripChain* chain, const StripTraffic& traffic, int first,
                     std::vector<std::pair<double, Choice>>* found) const {
    if (traffic.map_bytes < kLeastMapBytes) return;
    double best = 0;
    Choice choice;
    for (const int64_t height : kHeights) {
      const int64_t multiple = chain->last().window.multiple;
      const int64_t rows = CeilDiv(height, multiple) * multiple;
      if (rows >= chain->last().rows || chain->Finish(rows) != nullptr) continue;
      const double saved = TimeSaved(*chain, traffic);
      if (saved <= best) continue;
      best = saved;
      choice = {first, static_cast<int>(chain->parts().size()), rows, chain->memory_bytes()};
    }
    if (best > 0) found->emplace_back(best, choice);
  }

  void Dump(std::span<const Choice> choices, const char* file) {
    FILE* f = fopen(file, "w");
    fprintf(f, "[");
    const char* sep = "";
    for (const Choice& c : choices) {
      if (!c.rows) continue;
      auto chain = std::make_unique<StripChain>();
      StripTraffic traffic;
      fprintf(f, "%s{\"steps\":[", sep);
      sep = ",\n";
      for (int at = c.first; at < c.first + c.count; ++at) {
        chain->Add(views_[at]->op, At(at).inputs, At(at).outputs[0]);
        AddWeights(At(at), &traffic);
        auto names = At(at).node->sources();
        fprintf(f, "%s[\"%s\",\"%s\"]", at == c.first ? "" : ",", (names.empty() ? std::string(At(at).node->name()) : names[0]).c_str(), FindOp(At(at).node->kind())->name);
        if (at + 1 == c.first + c.count) break;
        int64_t bytes = program_.tensors[At(at).outputs[0]].type.bytes() / chain->pictures();
        traffic.map_bytes += bytes;
        traffic.largest_map = std::max(traffic.largest_map, bytes);
      }
      chain->Finish(c.rows);
      unsetenv("STRIPF");
      fprintf(f, "],\"rows\":%d,\"H\":%d,\"bytes\":%ld,\"maps\":%ld,\"largest\":%ld,\"weights\":%ld,\"moved\":%ld,\"pred\":%f}", (int)c.rows, chain->last().rows, chain->memory_bytes(), traffic.map_bytes, traffic.largest_map, traffic.weight_bytes, MovedBytes(*chain), TimeSaved(*chain, traffic) / 1000);
    }
    fprintf(f, "]\n");
    fclose(f);
  }
  void Apply(std::span<const Choice> choices, std::vector<StepScratch>* scratch) {
    if (std::ranges::none_of(choices, [](const Choice& choice) { return choice.rows > 0; })) return;
    if (const char* dump = getenv("STRIPDUMP")) Dump(choices, dump);
    std::vector<Program::Step> steps;
    std::vector<int> places(program_.steps.size());
    for (const Choice& choice : choices) {
      if (choice.rows > 0) {
        const auto at = static_cast<int>(steps.size());
        program_.strips.push_back({at, choice.count, choice.rows, choice.bytes});
        scratch->push_back({.step = order_[static_cast<size_t>(choice.first)], .bytes = choice.bytes});
      }
      for (int at = choice.first; at < choice.first + choice.count; ++at) {
        const int step = order_[static_cast<size_t>(at)];
        if (choice.rows > 0 && at + 1 < choice.first + choice.count)
          program_.tensors[static_cast<size_t>(Step(step).outputs[0])].in_strips = true;
        places[static_cast<size_t>(step)] = static_cast<int>(steps.size());
        steps.push_back(std::move(Step(step)));
      }
    }
    program_.steps = std::move(steps);
    for (StepScratch& memory : *scratch) memory.step = places[static_cast<size_t>(memory.step)];
  }

  Program::Step& Step(int step) const { return program_.steps[static_cast<size_t>(step)]; }
  const Program::Step& At(int place) const { return Step(order_[static_cast<size_t>(place)]); }

  [[maybe_unused]] const StripUse use_;
  Program& program_;
  std::vector<int> order_;        // steps
  std::vector<int> last_reader_;  // by tensor: place in the order
  std::vector<std::unique_ptr<StepView>> views_;  // by place; null: cannot be a part
};

}  // namespace

void ChooseStrips(StripUse use, Program* program, std::vector<StepScratch>* scratch) {
  // Such steps wait for others that they do not read from.
  const bool waits = std::ranges::any_of(
      program->steps, [](const Program::Step& step) { return !step.attr_extents.empty(); });
  if (use != StripUse::kNone && !waits) Chooser(use, program).Run(scratch);
}

}  // namespace linnet::converter
