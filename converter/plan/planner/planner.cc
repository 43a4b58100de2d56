// SPDX-License-Identifier: Apache-2.0
#include "converter/plan/planner/planner.h"

#include <algorithm>
#include <numeric>

#include "converter/plan/planner/alias.h"
#include "converter/plan/planner/lower_bound.h"
#include "converter/plan/planner/offsets.h"
#include "converter/plan/planner/order.h"
#include "converter/plan/planner/schedule_model.h"

namespace linnet::planner {
namespace {

// One order with one way of sharing.
struct Attempt {
  const OrderCandidate* order;
  Sharing sharing;
  int64_t lower_bound;
};

std::vector<OrderCandidate> Orders(const MemoryProblem& problem, const PlannerOptions& options) {
  const ScheduleModel model = BuildScheduleModel(problem, options);
  if (options.reorder) return FindOrders(model);
  std::vector<int> imported(problem.steps.size());
  std::iota(imported.begin(), imported.end(), 0);
  return {{imported, SchedulePeak(model, imported), "imported"}};
}

Attempt MakeAttempt(const MemoryProblem& problem, const OrderCandidate& order,
                    const PlannerOptions& options, SharePolicy policy) {
  Attempt attempt = {&order, ShareBuffers(problem, order.order, options, policy), 0};
  attempt.lower_bound = LowerBound(attempt.sharing.buffers,
                                   static_cast<int>(order.order.size()) + 2, options.alignment);
  return attempt;
}

MemoryPlan MakePlan(const Attempt& attempt, const Offsets& offsets) {
  MemoryPlan plan;
  plan.order = attempt.order->order;
  plan.places = attempt.sharing.places;
  for (size_t b = 0; b < attempt.sharing.buffers.size(); ++b) {
    const Buffer& buffer = attempt.sharing.buffers[b];
    plan.buffers.push_back({offsets.offsets[b], buffer.bytes, buffer.first, buffer.last});
  }
  plan.aliases = attempt.sharing.taken;
  plan.arena_bytes = offsets.arena_bytes;
  plan.lower_bound = attempt.lower_bound;
  plan.order_method = attempt.order->method;
  plan.offset_method = offsets.method;
  return plan;
}

}  // namespace

MemoryPlan PlanMemory(const MemoryProblem& problem, const PlannerOptions& options) {
  const std::vector<OrderCandidate> orders = Orders(problem, options);
  const SharePolicy policy = options.share ? SharePolicy::kPeak : SharePolicy::kNone;
  std::vector<Attempt> attempts;
  for (const OrderCandidate& order : orders)
    attempts.push_back(MakeAttempt(problem, order, options, policy));
  const int64_t imported_lower_bound = attempts.front().lower_bound;
  if (options.share) {
    // Buffers that live less long are easier to pack.
    for (size_t i = 0; i < orders.size(); ++i) {
      if (!attempts[i].sharing.area_grew) continue;  // the same again
      Attempt attempt = MakeAttempt(problem, orders[i], options, SharePolicy::kArea);
      const bool known = std::any_of(attempts.begin(), attempts.end(), [&](const Attempt& a) {
        return a.order == attempt.order && a.sharing.taken == attempt.sharing.taken;
      });
      if (!known) attempts.push_back(std::move(attempt));
    }
  }
  std::stable_sort(attempts.begin(), attempts.end(), [](const Attempt& a, const Attempt& b) {
    return a.lower_bound < b.lower_bound;
  });
  MemoryPlan best;
  PlannerOptions budget = options;
  for (const Attempt& attempt : attempts) {
    // An arena is never below its bound, and the bounds rise from here on.
    if (&attempt != &attempts.front() && attempt.lower_bound >= best.arena_bytes) break;
    const Offsets offsets = AssignOffsets(attempt.sharing.buffers, attempt.lower_bound, budget);
    if (&attempt == &attempts.front() || offsets.arena_bytes < best.arena_bytes)
      best = MakePlan(attempt, offsets);
    budget.perturb_work = options.perturb_work / 4;
    budget.exact_work = options.exact_work / 4;
    budget.exact_nodes = options.exact_nodes / 4;
  }
  best.imported_lower_bound = imported_lower_bound;
  best.naive_bytes = NaiveBytes(problem, options.alignment);
  return best;
}

}  // namespace linnet::planner
