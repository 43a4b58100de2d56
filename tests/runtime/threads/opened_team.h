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

// Whether a job of `tasks` calls each index once and has done so when it returns.
inline bool VisitsEachOnce(Team& team, int64_t tasks) {
  // Plain memory: only if a job's end orders what its tasks wrote may it be read here.
  std::vector<int> visits(static_cast<size_t>(tasks));
  RunOn(team, tasks, [&](int64_t i) { ++visits[static_cast<size_t>(i)]; });
  return visits == std::vector<int>(static_cast<size_t>(tasks), 1);
}

}  // namespace linnet
