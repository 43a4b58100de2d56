// SPDX-License-Identifier: Apache-2.0
#include "converter/plan/planner/planner.h"

#include <algorithm>
#include <limits>

#include "converter/plan/planner/alias.h"
#include "converter/plan/planner/keep_shares.h"
#include "converter/plan/planner/lower_bound.h"
#include "converter/plan/planner/offsets.h"
#include "converter/plan/planner/order.h"
#include "converter/plan/planner/schedule_model.h"

namespace linnet::planner {
namespace {

// One order with one way of sharing memory.
struct Attempt {
  const OrderCandidate* order;
  Sharing sharing;
};

MemoryPlan MakePlan(const OrderCandidate& order, const Sharing& sharing, const Offsets& offsets) {
  MemoryPlan plan = {.order = order.order,
                     .places = sharing.places,
                     .aliases = sharing.taken,
                     .arena_bytes = offsets.arena_bytes,
                     .lower_bound = sharing.lower_bound,
                     .order_method = order.method,
                     .offset_method = offsets.method};
  for (size_t b = 0; b < sharing.buffers.size(); ++b) {
    const auto& [bytes, first, last] = sharing.buffers[b];
    plan.buffers.push_back({offsets.offsets[b], bytes, first, last});
  }
  return plan;
}

}  // namespace

MemoryPlan PlanMemory(const MemoryProblem& problem, const PlannerOptions& options) {
  const std::vector<OrderCandidate> orders =
      FindOrders(BuildScheduleModel(problem, options), options.reorder);
  const SharePolicy policy = options.share ? SharePolicy::kPeak : SharePolicy::kNone;
  std::vector<Attempt> attempts;
  attempts.reserve(2 * orders.size());
  for (const OrderCandidate& order : orders)
    attempts.push_back({&order, ShareBuffers(problem, order.order, options, policy)});
  const int64_t imported_lower_bound = attempts.front().sharing.lower_bound;
  // Buffers that live less long are easier to pack.
  for (size_t i = 0; i < orders.size(); ++i) {
    if (!attempts[i].sharing.area_grew) continue;  // kArea would give the same
    Sharing sharing = ShareBuffers(problem, orders[i].order, options, SharePolicy::kArea);
    const bool is_known = std::ranges::any_of(attempts, [&](const Attempt& known) {
      return known.order == &orders[i] && known.sharing.taken == sharing.taken;
    });
    if (!is_known) attempts.push_back({&orders[i], std::move(sharing)});
  }
  std::ranges::stable_sort(attempts, {}, [](const Attempt& a) { return a.sharing.lower_bound; });
  MemoryPlan best = {.arena_bytes = std::numeric_limits<int64_t>::max()};
  PlannerOptions budget = options;
  for (const auto& [order, sharing] : attempts) {
    // An arena is never below its bound, and the bounds rise from here on.
    if (sharing.lower_bound >= best.arena_bytes) break;
    const Offsets offsets = AssignOffsets(sharing.buffers, sharing.lower_bound, budget);
    if (offsets.arena_bytes < best.arena_bytes) best = MakePlan(*order, sharing, offsets);
    budget.perturb_work = options.perturb_work / 4;
    budget.exact_work = options.exact_work / 4;
    budget.exact_nodes = options.exact_nodes / 4;
  }
  if (options.keep_shares) KeepShares(best.arena_bytes, options.alignment, &best.buffers);
  best.imported_lower_bound = imported_lower_bound;
  best.naive_bytes = NaiveBytes(problem, options.alignment);
  return best;
}

}  // namespace linnet::planner
