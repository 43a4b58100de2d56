// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <gtest/gtest.h>

#include <atomic>
#include <cstdint>
#include <memory>
#include <vector>

#include "runtime/threads/team.h"

namespace linnet {

struct CloseTeam {
  void operator()(Team* team) const { team->Close(); }
};
using OpenedTeam = std::unique_ptr<Team, CloseTeam>;

inline OpenedTeam OpenTeam(int threads) {
  OpenedTeam team(Team::Open(threads));
  EXPECT_NE(team, nullptr);
  return team;
}

template <typename Body>
void RunOn(Team& team, int64_t tasks, const Body& body) {
  team.Run([](void* raw, int64_t index) { (*static_cast<const Body*>(raw))(index); },
           const_cast<Body*>(&body), tasks);
}

// Does a job of `tasks` call each index once, and is it done when the call returns?
inline bool VisitsEachOnce(Team& team, int64_t tasks) {
  // Not atomic: it may be read here only if the end of a job orders the writes of its tasks.
  std::vector<int> visits(static_cast<size_t>(tasks));
  RunOn(team, tasks, [&](int64_t i) { ++visits[static_cast<size_t>(i)]; });
  return visits == std::vector<int>(static_cast<size_t>(tasks), 1);
}

}  // namespace linnet
