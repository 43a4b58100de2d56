// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstdint>

// Two judgements of how much a worker helps on a machine where others want its core. Times are in
// nanoseconds of one monotonic clock.
namespace linnet {

// A task that takes so long, and during which the worker's core was given to somebody else, made
// others wait.
inline constexpr int64_t kStallNs = 200'000;

// Whether a worker is worth calling, as the caller sees it. A worker that loses its core in the
// middle of a task makes the caller wait for milliseconds: better to do without it for a while.
class Attendance {
 public:
  bool Excused(int64_t now) const { return now < excused_until_; }
  // As before, and not to be woken because it would come late.
  bool ExcusedFromWaking(int64_t now) const { return Excused(now) || now < late_until_; }

  // The caller had nothing left to do and waited `waited` for this worker, which had worked for
  // `helped` since the last time. A loss excuses it for as long as was lost, twice as long each
  // time.
  void Stalled(int64_t now, int64_t waited, int64_t helped);
  // It was woken and came, or has not come yet, `after`. Who finds no free core is not woken again
  // for a short while, longer each time.
  void Woken(int64_t now, int64_t after);

  static constexpr int64_t kLateNs = 300'000;  // waking up on a free core takes a tenth

 private:
  int64_t excused_until_ = 0, excuse_ = 0;
  int64_t late_until_ = 0, lateness_ = 0;
};

// How long a worker stays before it sleeps of its own accord. Who has had a core for long is the
// next to lose it; who sleeps between two tasks and is woken gets it back at once.
class Stay {
 public:
  void Woke(int64_t now) { since_ = now; }
  bool Over(int64_t now) const { return now - since_ > limit_; }
  // The worker lost its core, of which it had had `had` since it woke.
  void LostCore(int64_t had);
  // It left because its time was over.
  void Left();

 private:
  static constexpr int64_t kLongest = 1'000'000'000;

  int64_t since_ = 0;
  int64_t limit_ = kLongest;
};

}  // namespace linnet
