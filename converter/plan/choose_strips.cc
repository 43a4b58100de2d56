// SPDX-License-Identifier: Apache-2.0
#include "converter/plan/choose_strips.h"

#include <algorithm>
#include <array>
#include <functional>
#include <limits>
#include <memory>
#include <utility>

#include "converter/plan/alias_options.h"
#include "converter/plan/strip_cost.h"

namespace linnet::converter {
namespace {

constexpr int64_t kHeights[] = {2, 4, 8, 16};
// Longer ones save no more, and would take long to try.
constexpr size_t kMostParts = 16;
// Enough for the threads of a phone to take about equally many; where only memory counts, just
// strips.
constexpr int64_t kLatencyStrips = 7, kMemoryStrips = 2;
// Tensors that together are smaller stay in any cache.
constexpr int64_t kLeastMapBytes = 256 << 10;
// How much longer a run may take, as far as is known, for a smaller arena.
constexpr double kLatencySlack = 0.005, kMemorySlack = 0.1;
constexpr double kMacsPerNs = 50, kBytesPerNs = 20;

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

// Steps, one directly behind the other whose output it reads, where it can.
std::vector<int> DepthFirst(const Program& program) {
  const size_t count = program.steps.size();
  std::vector<std::vector<int>> readers(program.tensors.size());
  std::vector<bool> is_written(program.tensors.size());
  std::vector<int> missing(count, 0), ready, order;
  for (const Program::Step& step : program.steps)
    for (const int output : step.outputs) is_written[static_cast<size_t>(output)] = true;
  for (size_t i = 0; i < count; ++i) {
    for (const int input : program.steps[i].inputs) {
      if (!is_written[static_cast<size_t>(input)]) continue;
      readers[static_cast<size_t>(input)].push_back(static_cast<int>(i));
      ++missing[i];
    }
  }
  for (size_t i = count; i-- > 0;)
    if (missing[i] == 0) ready.push_back(static_cast<int>(i));
  while (!ready.empty()) {
    order.push_back(ready.back());
    ready.pop_back();
    std::vector<int> next;
    for (const int output : program.steps[static_cast<size_t>(order.back())].outputs)
      for (const int reader : readers[static_cast<size_t>(output)])
        if (--missing[static_cast<size_t>(reader)] == 0) next.push_back(reader);
    std::ranges::sort(next, std::greater());
    ready.insert(ready.end(), next.begin(), next.end());
  }
  return order;
}

// Steps [first, first + count) of an order.
struct Choice {
  int first = 0, count = 1;
  int64_t rows = 0;     // 0: not in strips
  int64_t bytes = 0;    // that their rows take
  int overwrites = -1;  // tensor in whose place their output may lie
  int64_t live = 0;     // bytes in use while they run
  double time = 0;      // that they take more than whole pictures that stay in the cache would
  int end() const { return first + count; }
};

class Chooser {
 public:
  Chooser(StripUse use, Program* program) : use_(use), program_(*program) {}

  void Run(std::vector<StepScratch>* scratch) {
    order_ = DepthFirst(program_);
    FindLives();
    FindCandidates();
    const std::vector<Choice> choices = Choose();
    if (std::ranges::any_of(choices, [](const Choice& choice) { return choice.rows > 0; }))
      Apply(choices, scratch);
  }

 private:
  // Places in the order: where tensors are written and last read.
  void FindLives() {
    written_.assign(program_.tensors.size(), -1);
    last_read_.assign(program_.tensors.size(), -1);
    constexpr int kNever = std::numeric_limits<int>::max();
    for (int at = 0; at < Count(); ++at) {
      for (const int input : At(at).inputs) last_read_[Index(input)] = at;
      for (const int output : At(at).outputs) written_[Index(output)] = at;
    }
    for (const Program::Port& port : program_.outputs) last_read_[Index(port.tensor)] = kNever;
    for (const Program::Update& update : program_.updates) last_read_[Index(update.next)] = kNever;
    // live_before_[p]: bytes of what is written before place p and read there or later.
    live_before_.assign(Index(Count()) + 1, 0);
    for (size_t t = 0; t < program_.tensors.size(); ++t) {
      if (!program_.tensors[t].in_arena() || program_.tensors[t].space != 0) continue;
      const int end = std::min(last_read_[t], Count() - 1);
      for (int at = written_[t] + 1; at <= end; ++at) live_before_[Index(at)] += BytesOf(t);
    }
  }

  void FindCandidates() {
    by_end_.resize(Index(Count()) + 1);
    for (int at = 0; at < Count(); ++at) {
      views_.push_back(MayBePart(At(at)) ? ViewOf(program_, At(at)) : nullptr);
      by_end_[Index(at) + 1].push_back(Whole(at));
      times_.push_back(TimeOf(at));
      time_ += times_.back();
    }
    for (int first = 0; first < Count(); ++first) AddChains(first);
  }

  bool MayBePart(const Program::Step& step) const {
    if (step.is_copy || step.node->IsStructured() || step.outputs.size() != 1) return false;
    if (!step.attr_extents.empty() || !step.sets.empty()) return false;
    const auto is_fixed = [&](int tensor) {
      return program_.tensors[Index(tensor)].symbols.empty();
    };
    return std::ranges::all_of(step.inputs, is_fixed) && is_fixed(step.outputs[0]) &&
           !PacksInRuns(step);
  }

  // A filter that is computed would be packed anew for each strip.
  bool PacksInRuns(const Program::Step& step) const {
    return !(FindOp(step.node->kind())->traits & kElementwise) && step.inputs.size() > 1 &&
           program_.tensors[Index(step.inputs[1])].weight < 0;
  }

  // That a run of the step takes, roughly.
  double TimeOf(int at) const {
    if (views_[Index(at)] == nullptr) return 0;
    const OpInstance& op = views_[Index(at)]->op;
    return static_cast<double>(FindOp(op.kind)->cost(op).macs) / kMacsPerNs +
           static_cast<double>(op.output(0).bytes()) / kBytesPerNs;
  }

  // A step on whole pictures.
  Choice Whole(int at) const {
    Choice choice{.first = at, .live = live_before_[Index(at)]};
    for (const int output : At(at).outputs) {
      choice.live += BytesOf(Index(output));
      choice.time += TimeOfMap(BytesOf(Index(output)));
    }
    if (RunsInPlace(at)) choice.live -= BytesOf(Index(At(at).outputs[0]));
    return choice;
  }

  bool RunsInPlace(int at) const {
    if (At(at).node->IsStructured()) return false;
    return std::ranges::any_of(Aliases(at), [&](const planner::AliasOption& alias) {
      return alias.kind != planner::AliasKind::kPart && last_read_[Index(alias.outer)] == at &&
             BytesOf(Index(alias.outer)) == BytesOf(Index(alias.inner));
    });
  }

  // May the step write over an input that it reads?
  bool Overwrites(int at, int input) const {
    return std::ranges::any_of(Aliases(at), [&](const planner::AliasOption& alias) {
      return alias.kind == planner::AliasKind::kOverwrite && alias.outer == input;
    });
  }

  std::vector<planner::AliasOption> Aliases(int at) const {
    return AliasesOf(At(at), program_.tensors, Layout::kDense, /*varies=*/false);
  }

  // All that begin with this step.
  void AddChains(int first) {
    std::array<StripPart, kMostParts> room;
    StripChain chain(room);
    int64_t map_bytes = 0, weight_bytes = 0;
    int must_reach = first;  // the last step that reads what those before the end make
    const int end = std::min(Count(), first + static_cast<int>(kMostParts));
    for (int at = first; at < end && views_[Index(at)] != nullptr; ++at) {
      const Program::Step& step = At(at);
      const int output = step.outputs[0];
      if (chain.Add(views_[Index(at)]->op, step.inputs, output) != nullptr) return;
      for (const int input : step.inputs)
        if (const Program::Tensor& info = program_.tensors[Index(input)]; info.weight >= 0)
          weight_bytes += info.type.bytes();
      if (must_reach <= at && map_bytes >= kLeastMapBytes) AddHeights(first, weight_bytes, chain);
      if (last_read_[Index(output)] < at) return;  // read by nobody
      must_reach = std::max(must_reach, last_read_[Index(output)]);
      if (must_reach >= end) return;
      map_bytes += BytesOf(Index(output)) / chain.pictures();
    }
  }

  void AddHeights(int first, int64_t weight_bytes, StripChain& chain) {
    const int at = first + static_cast<int>(chain.parts().size()) - 1;
    const int64_t output = BytesOf(Index(At(at).outputs[0]));
    const int64_t least = use_ == StripUse::kMemory ? kMemoryStrips : kLatencyStrips;
    for (const int64_t height : kHeights) {
      const int64_t multiple = chain.last().window.multiple;
      const int64_t rows = use_ == StripUse::kMemory
                               ? CeilDiv(height, multiple) * multiple
                               : FairHeight(chain.last().rows, height, multiple);
      if (least * rows > chain.last().rows || chain.Finish(rows) != nullptr) continue;
      const Choice choice = {
          .first = first,
          .count = static_cast<int>(chain.parts().size()),
          .rows = rows,
          .bytes = chain.memory_bytes(),
          .live = live_before_[Index(first)] + output + chain.memory_bytes(),
          .time = static_cast<double>(chain.pictures()) * TimeOfStrips(chain, weight_bytes) +
                  TimeOfMap(output) + TimeOfUnfairShares(first, chain)};
      by_end_[Index(at) + 1].push_back(choice);
      if (const int input = FindOverwritable(first, chain); input >= 0)
        by_end_[Index(at) + 1].push_back(OverwritingChoice(choice, input, output, chain));
    }
  }

  // What two threads wait for each other.
  double TimeOfUnfairShares(int first, const StripChain& chain) const {
    if (use_ == StripUse::kMemory || chain.pictures() > 1) return 0;
    double time = 0;
    for (size_t i = 0; i < chain.parts().size(); ++i) time += times_[Index(first) + i];
    return time / 2 * (LargestShare(chain.last().rows, chain.rows(), 2) - 1);
  }

  // The threads then work on each part of each strip together, because another strip may still read
  // what one overwrites. For the least memory, only the time of a single thread counts.
  Choice OverwritingChoice(Choice choice, int input, int64_t output_bytes,
                           const StripChain& chain) const {
    choice.overwrites = input;
    choice.live -= output_bytes;
    if (use_ == StripUse::kLatency)
      choice.time += static_cast<double>(chain.pictures()) * TimeOfJobs(chain);
    return choice;
  }

  // An input that nothing reads behind these strips and over which they may write, or -1.
  int FindOverwritable(int first, const StripChain& chain) const {
    const int last = first + static_cast<int>(chain.parts().size()) - 1;
    const TensorType& output = program_.tensors[Index(At(last).outputs[0])].type;
    for (int at = first; at <= last; ++at)
      for (const int input : At(at).inputs)
        if (const Program::Tensor& info = program_.tensors[Index(input)];
            info.in_arena() && info.type == output && last_read_[Index(input)] <= last &&
            written_[Index(input)] < first && MayOverwrite(first, chain, input))
          return input;
    return -1;
  }

  bool MayOverwrite(int first, const StripChain& chain, int tensor) const {
    uint64_t readers = 0;
    for (size_t part = 0; part < chain.parts().size(); ++part) {
      const int at = first + static_cast<int>(part);
      for (size_t i = 0; i < At(at).inputs.size(); ++i) {
        if (At(at).inputs[i] != tensor) continue;
        if (UseOf(views_[Index(at)]->op, static_cast<int>(i)) != RowUse::kRows) return false;
        if (part + 1 == chain.parts().size() && !Overwrites(at, tensor)) return false;
        readers |= uint64_t{1} << part;
      }
    }
    return chain.MayOverwrite(readers);
  }

  // The fastest choices of which none has more than `most` bytes in use; empty when there are none.
  std::vector<Choice> Fastest(int64_t most, double* time) const {
    constexpr double kNone = std::numeric_limits<double>::infinity();
    std::vector<double> best(Index(Count()) + 1, kNone);
    std::vector<const Choice*> chosen(Index(Count()) + 1, nullptr);
    best[0] = 0;
    for (int end = 1; end <= Count(); ++end) {
      for (const Choice& choice : by_end_[Index(end)]) {
        const double sum = best[Index(choice.first)] + choice.time;
        if (choice.live > most || sum >= best[Index(end)]) continue;
        best[Index(end)] = sum;
        chosen[Index(end)] = &choice;
      }
    }
    *time = best.back();
    std::vector<Choice> choices;
    if (best.back() == kNone) return choices;
    for (int end = Count(); end > 0; end = choices.back().first)
      choices.push_back(*chosen[Index(end)]);
    std::ranges::reverse(choices);
    return choices;
  }

  // The least memory for which the time is within the slack of the least.
  std::vector<Choice> Choose() const {
    double least = 0, time = 0;
    std::vector<Choice> best = Fastest(std::numeric_limits<int64_t>::max(), &least);
    const double slack = use_ == StripUse::kMemory ? kMemorySlack : kLatencySlack;
    std::vector<int64_t> sizes;
    for (const auto& choices : by_end_)
      for (const Choice& choice : choices) sizes.push_back(choice.live);
    std::ranges::sort(sizes);
    sizes.erase(std::unique(sizes.begin(), sizes.end()), sizes.end());
    const auto is_too_small = [&](int64_t size) {
      std::vector<Choice> choices = Fastest(size, &time);
      if (choices.empty() || time > least + slack * time_) return true;
      best = std::move(choices);
      return false;
    };
    // The search ends with the last size that was large enough, so `best` is of the smallest.
    (void)std::ranges::partition_point(sizes, is_too_small);
    return best;
  }

  void Apply(std::span<const Choice> choices, std::vector<StepScratch>* scratch) {
    std::vector<Program::Step> steps;
    std::vector<int> places(program_.steps.size());
    for (const Choice& choice : choices) {
      if (choice.rows > 0) {
        const auto at = static_cast<int>(steps.size());
        program_.strips.push_back({at, choice.count, choice.rows, choice.bytes, choice.overwrites});
        scratch->push_back({.step = order_[Index(choice.first)], .bytes = choice.bytes});
      }
      for (int at = choice.first; at < choice.end(); ++at) {
        Program::Step& step = program_.steps[Index(order_[Index(at)])];
        if (choice.rows > 0 && at + 1 < choice.end())
          program_.tensors[Index(step.outputs[0])].in_strips = true;
        places[Index(order_[Index(at)])] = static_cast<int>(steps.size());
        steps.push_back(std::move(step));
      }
    }
    program_.steps = std::move(steps);
    for (StepScratch& memory : *scratch) memory.step = places[Index(memory.step)];
  }

  static size_t Index(int i) { return static_cast<size_t>(i); }
  int Count() const { return static_cast<int>(order_.size()); }
  int64_t BytesOf(size_t tensor) const { return program_.tensors[tensor].type.bytes(); }
  const Program::Step& At(int place) const { return program_.steps[Index(order_[Index(place)])]; }

  const StripUse use_;
  Program& program_;
  std::vector<int> order_;                        // steps
  std::vector<int> written_, last_read_;          // by tensor: places in the order
  std::vector<int64_t> live_before_;              // by place
  std::vector<std::unique_ptr<StepView>> views_;  // by place; null: cannot be a part
  std::vector<std::vector<Choice>> by_end_;
  std::vector<double> times_;  // by place: that its step takes, roughly
  double time_ = 0;            // the same of a run
};

}  // namespace

void ChooseStrips(StripUse use, Program* program, std::vector<StepScratch>* scratch) {
  // Such steps wait for others that they do not read from.
  const bool waits = std::ranges::any_of(
      program->steps, [](const Program::Step& step) { return !step.attr_extents.empty(); });
  if (use != StripUse::kNone && !waits) Chooser(use, program).Run(scratch);
}

}  // namespace linnet::converter
