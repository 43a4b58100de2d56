// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstdint>

// Two rules for machines on which other threads compete for the workers' cores. Times are in
// nanoseconds of one monotonic clock.
namespace linnet {

// A task that takes at least this long, and during which another thread got the worker's core, has
// made the caller wait.
inline constexpr int64_t kStallNs = 200'000;

// Whether the caller should use a worker. A worker that loses its core in the middle of a task
// makes the caller wait for milliseconds, so the caller does without it for a while: it is excused.
class Attendance {
 public:
  bool Excused(int64_t now) const { return now < excused_until_; }
  // Excused, or not to be woken at present because it would come late.
  bool ExcusedFromWaking(int64_t now) const { return Excused(now) || now < late_until_; }

  // Call after the caller had nothing left to do and waited for this worker for `waited`, when the
  // worker had helped for `helped` since the last such call. If the wait was longer than the help,
  // the worker is excused for as long as the wait, and twice as long each further time.
  void Stalled(int64_t now, int64_t waited, int64_t helped);
  // The worker came `after` this time since it was woken, or has not come in that time. One that
  // came late found no free core and is not woken again for a short while, longer each time.
  void Woken(int64_t now, int64_t after);

  static constexpr int64_t kLateNs = 300'000;  // on a free core, waking up takes a tenth of this

 private:
  int64_t excused_until_ = 0, excuse_ = 0;
  int64_t late_until_ = 0, lateness_ = 0;
};

// How long a worker stays awake before it goes to sleep without being told. The system takes the
// core from threads that have had one for long, but gives one at once to a thread that was asleep.
class Stay {
 public:
  void Woke(int64_t now) { since_ = now; }
  bool Over(int64_t now) const { return now - since_ > limit_; }
  // The worker lost its core, after `had` of core time since it woke.
  void LostCore(int64_t had);
  // The worker goes to sleep because its stay is over.
  void Left();

 private:
  static constexpr int64_t kLongest = 1'000'000'000;

  int64_t since_ = 0;
  int64_t limit_ = kLongest;
};

}  // namespace linnet
