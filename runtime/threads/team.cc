// SPDX-License-Identifier: Apache-2.0
#include "runtime/threads/team.h"

#include <algorithm>
#include <new>
#include <type_traits>

#include "runtime/core/denormals.h"
#include "runtime/core/host_allocator.h"
#include "runtime/threads/attendance.h"
#include "runtime/threads/clock.h"
#include "runtime/threads/cores.h"
#include "runtime/threads/fork.h"
#include "runtime/threads/futex.h"
#include "runtime/threads/worker_thread.h"

namespace linnet {
namespace {

constexpr int kMostThreads = 256;
constexpr int64_t kWorkerSpinNs = 50'000, kCallerSpinNs = 20'000;

// The gate: the number of workers inside, and two bits.
constexpr uint32_t kOpen = uint32_t{1} << 31;     // workers may still join
constexpr uint32_t kWaiting = uint32_t{1} << 30;  // the last one that leaves wakes the caller
constexpr uint32_t kInside = kWaiting - 1;

enum WorkerState : uint32_t { kAwake, kAsleep, kCalled };

// A time that two threads share, in about microseconds and without its upper bits: not every
// 32-bit processor has atomic operations on 64 bits. Differences are right up to half an hour.
uint32_t ShortTime(int64_t ns) { return static_cast<uint32_t>(ns >> 10); }
int64_t NsBetween(uint32_t from, uint32_t to) {
  return int64_t{static_cast<int32_t>(to - from)} * 1024;
}

}  // namespace

struct alignas(64) Team::Worker {
  Share share;
  Team* team = nullptr;
  int number = 0;
  WorkerThread thread;
  uint32_t sleeper_bit() const { return uint32_t{1} << (number % 32); }

  // Sets `excused`. The caller does so in each job, and seldom changes it.
  void Excuse(bool excuse) {
    if (excused.load(std::memory_order_relaxed) != excuse)
      excused.store(excuse, std::memory_order_relaxed);
  }

  // Read by both in each job, and seldom written: `state` by both, `woke_at` by the worker,
  // `excused` by the caller.
  alignas(64) std::atomic<uint32_t> state{kAwake};
  std::atomic<uint32_t> woke_at{0};  // a ShortTime
  std::atomic<bool> excused{false};

  // The caller's.
  alignas(64) Attendance attendance;
  bool wanted = false;
  int64_t called_at = 0;  // when it was woken; 0 when it has come since
  int64_t helped_before = 0;

  // Written by the worker inside the gate, and read by the caller while nobody is inside.
  alignas(64) int64_t left_at = 0;  // when it left the last job that it joined
  int64_t helped_ns = 0;            // time in tasks of all jobs
  bool lost_core = false;           // during that last job

  // The worker's.
  Stay stay;
  int64_t ns_at_waking = 0, core_ns_at_waking = 0;
  int64_t without_core = 0;  // time without a core since it woke, at the last check
  int64_t times_taken = 0;   // TimesTaken() at the last check
};

// Team and workers are one piece of memory.
Team* Team::Open(int threads) {
  static_assert(alignof(Team) == alignof(Worker) && std::is_trivially_destructible_v<Worker>);
  const int wanted = std::clamp(threads, 1, kMostThreads) - 1;
  void* memory = kMalloc.Allocate(BytesFor(wanted), alignof(Team));
  if (memory == nullptr) return nullptr;
  auto* workers = reinterpret_cast<Worker*>(static_cast<std::byte*>(memory) + sizeof(Team));
  for (int i = 0; i < wanted; ++i) new (workers + i) Worker;
  auto* team = new (memory) Team(workers, wanted);
  // A thread that spins must not occupy the core of the thread for which it waits.
  if (AvailableCores() > wanted) {
    team->worker_spin_ns_ = kWorkerSpinNs;
    team->caller_spin_ns_ = kCallerSpinNs;
  }
  if (WatchForks()) team->StartWorkers();
  return team;
}

int64_t Team::BytesFor(int workers) {
  return static_cast<int64_t>(sizeof(Team)) + workers * static_cast<int64_t>(sizeof(Worker));
}

void Team::StartWorkers() {
  forks_ = ForkCount();
  for (int i = 0; i < most_workers_; ++i) {
    Worker& worker = workers_[i];
    worker.team = this;
    worker.number = i + 1;
    if (!worker.thread.Start(WorkerMain, &worker, worker.number, kHelperStackBytes)) return;
    ++num_workers_;
  }
}

void Team::Close() {
  if (forks_ == ForkCount()) {
    stop_.store(true, std::memory_order_relaxed);
    jobs_.fetch_add(1, std::memory_order_seq_cst);
    WakeAll(jobs_);
    for (int i = 0; i < num_workers_; ++i) workers_[i].thread.Join();
  }
  kMalloc.Release(this, BytesFor(most_workers_));
}

Parallel Team::parallel() {
  return {threads(), this, [](void* team, Task task, void* context, int64_t tasks) {
            static_cast<Team*>(team)->Run(task, context, tasks);
          }};
}

// ---- The caller

void Team::Run(Task task, void* context, int64_t tasks) {
  // Kernels divide their work into a few tasks per thread, so that more than a share holds are
  // rare.
  const bool alone =
      tasks <= 1 || tasks > Share::kMostTasks || num_workers_ == 0 || forks_ != ForkCount();
  if (alone || busy_.exchange(true, std::memory_order_acquire)) {
    for (int64_t i = 0; i < tasks; ++i) task(context, i);
    return;
  }
  RunWithWorkers(task, context, static_cast<uint32_t>(tasks));
  busy_.store(false, std::memory_order_release);
}

void Team::RunWithWorkers(Task task, void* context, uint32_t tasks) {
  const int64_t now = NowNs();
  const bool helped = ChooseWorkers(now, tasks);
  DealOut(tasks);
  task_ = task;
  context_ = context;
  if (helped) {
    gate_.store(kOpen, std::memory_order_release);
    // Pairs with AwaitJob: either we see that a worker sleeps, or it sees that the count has
    // changed.
    jobs_.fetch_add(1, std::memory_order_seq_cst);
    WakeChosen(now);
  }
  uint32_t index;
  while (Take(0, &index)) task(context, index);
  if (helped) WaitForWorkers();
}

// Chooses the workers that get a share. False when no worker can help.
bool Team::ChooseWorkers(int64_t now, uint32_t tasks) {
  const auto most =
      static_cast<int>(std::min<uint32_t>(tasks - 1, static_cast<uint32_t>(num_workers_)));
  bool any = false;
  chosen_ = 0;
  for (int i = 0; i < num_workers_; ++i) {
    Worker& worker = workers_[i];
    Notice(worker, now);
    const uint32_t state = worker.state.load(std::memory_order_relaxed);
    const bool excused = worker.attendance.Excused(now);
    worker.Excuse(excused);
    any |= !excused && state != kAsleep;
    worker.wanted = chosen_ < most && !excused &&
                    (state == kAwake || !worker.attendance.ExcusedFromWaking(now));
    if (worker.wanted) ++chosen_;
  }
  return any || chosen_ > 0;
}

// Notes whether a worker that was woken has come, and how fast.
void Team::Notice(Worker& worker, int64_t now) {
  if (worker.called_at == 0) return;
  if (worker.state.load(std::memory_order_acquire) != kCalled) {
    const uint32_t woke_at = worker.woke_at.load(std::memory_order_relaxed);
    worker.attendance.Woken(now, NsBetween(ShortTime(worker.called_at), woke_at));
    worker.called_at = 0;
  } else if (now - worker.called_at > Attendance::kLateNs &&
             !worker.attendance.ExcusedFromWaking(now)) {
    worker.attendance.Woken(now, now - worker.called_at);
  }
}

void Team::DealOut(uint32_t tasks) {
  const auto members = static_cast<uint32_t>(chosen_ + 1);
  uint32_t begin = 0, dealt = 0;
  const auto next = [&] {
    ++dealt;
    const uint32_t from = begin;
    begin = static_cast<uint32_t>(uint64_t{tasks} * dealt / members);
    return from;
  };
  const uint32_t first = next();
  caller_share_.Fill(first, begin);
  for (int i = 0; i < num_workers_; ++i) {
    const uint32_t from = workers_[i].wanted ? next() : begin;
    workers_[i].share.Fill(from, begin);
  }
}

void Team::WakeChosen(int64_t now) {
  uint32_t sleepers = 0;
  for (int i = 0; i < num_workers_; ++i) {
    Worker& worker = workers_[i];
    uint32_t asleep = kAsleep;
    if (!worker.wanted || worker.state.load(std::memory_order_seq_cst) != kAsleep ||
        !worker.state.compare_exchange_strong(asleep, kCalled))
      continue;
    worker.called_at = now;
    sleepers |= worker.sleeper_bit();
  }
  if (sleepers != 0) WakeAll(jobs_, sleepers);
}

void Team::WaitForWorkers() {
  const uint32_t gate = gate_.fetch_and(~kOpen, std::memory_order_acq_rel);
  if ((gate & kInside) == 0) return;
  const auto empty = [this] { return (gate_.load(std::memory_order_acquire) & kInside) == 0; };
  if (SpinUntil(caller_spin_ns_, empty)) return;
  const int64_t since = NowNs();
  uint32_t now = gate_.fetch_or(kWaiting, std::memory_order_acq_rel) | kWaiting;
  while ((now & kInside) != 0) {
    SleepOn(gate_, now);
    now = gate_.load(std::memory_order_acquire);
  }
  JudgeWorkers(since);
}

void Team::JudgeWorkers(int64_t waiting_since) {
  const int64_t now = NowNs();
  if (now - waiting_since < kStallNs) return;
  for (int i = 0; i < num_workers_; ++i) {
    Worker& worker = workers_[i];
    const int64_t waited = worker.left_at - waiting_since;
    if (waited < kStallNs || !worker.lost_core) continue;
    worker.attendance.Stalled(now, waited, worker.helped_ns - worker.helped_before);
    worker.helped_before = worker.helped_ns;
    worker.Excuse(worker.attendance.Excused(now));
  }
}

// ---- The caller and the workers

Share& Team::share(int member) { return member == 0 ? caller_share_ : workers_[member - 1].share; }

// Takes a task from the member's own share, or else from any that is not empty.
bool Team::Take(int member, uint32_t* index) {
  if (share(member).TakeFront(index)) return true;
  const int members = threads();
  for (int i = 1; i < members; ++i)
    if (share((member + i) % members).TakeBack(index)) return true;
  return false;
}

// ---- A worker

void Team::WorkerMain(void* raw) {
  auto* self = static_cast<Worker*>(raw);
  self->team->Serve(*self);
}

void Team::Serve(Worker& self) {
  const FlushDenormals flush;
  Woke(self);
  uint32_t seen = 0;
  while (true) {
    seen = AwaitJob(self, seen);
    if (stop_.load(std::memory_order_relaxed)) return;
    self.share.Prefetch();
    if (!Join()) continue;
    Help(self);
    Leave();
  }
}

uint32_t Team::AwaitJob(Worker& self, uint32_t seen) {
  const auto posted = [&] { return jobs_.load(std::memory_order_acquire) != seen; };
  const bool over = self.stay.Over(NowNs());
  if (over) self.stay.Left();
  if (over || self.excused.load(std::memory_order_relaxed))
    seen = jobs_.load(std::memory_order_acquire);  // the caller does without this worker
  else if (SpinUntil(worker_spin_ns_, posted))
    return jobs_.load(std::memory_order_acquire);
  while (!posted() && !stop_.load(std::memory_order_relaxed)) {
    self.state.store(kAsleep, std::memory_order_seq_cst);
    SleepOn(jobs_, seen, self.sleeper_bit());
  }
  Woke(self);
  self.state.store(kAwake, std::memory_order_release);
  return jobs_.load(std::memory_order_acquire);
}

void Team::Woke(Worker& self) {
  const int64_t now = NowNs();
  self.stay.Woke(now);
  self.ns_at_waking = now;
  self.core_ns_at_waking = ThreadNs();
  self.without_core = 0;
  self.woke_at.store(ShortTime(now), std::memory_order_relaxed);
}

// True when another thread had the core for long since the last check. Both conditions are needed:
// a switch alone may have lasted microseconds, and the time without a core alone may have been
// spent waiting for a page.
bool Team::LostCore(Worker& self, int64_t now) {
  const int64_t had = ThreadNs() - self.core_ns_at_waking;
  const int64_t without = now - self.ns_at_waking - had;
  const int64_t taken = TimesTaken();
  const bool lost =
      without - self.without_core > kStallNs && (taken < 0 || taken != self.times_taken);
  self.without_core = without;
  self.times_taken = taken;
  if (lost) self.stay.LostCore(had);
  return lost;
}

// Any open job will do, even a later one than the job that woke this worker.
bool Team::Join() {
  uint32_t gate = gate_.load(std::memory_order_relaxed);
  while ((gate & kOpen) != 0)
    if (gate_.compare_exchange_weak(gate, gate + 1, std::memory_order_acquire,
                                    std::memory_order_relaxed))
      return true;
  return false;
}

void Team::Help(Worker& self) {
  bool lost_core = false;
  int64_t helped = 0, before = NowNs();
  uint32_t index;
  while (!self.stay.Over(before) && Take(self.number, &index)) {
    task_(context_, index);
    const int64_t now = NowNs();
    if (now - before > kStallNs) lost_core |= LostCore(self, now);
    if (!lost_core) helped += now - before;
    before = now;
  }
  self.helped_ns += helped;
  self.lost_core = lost_core;
  self.left_at = before;
}

void Team::Leave() {
  const uint32_t gate = gate_.fetch_sub(1, std::memory_order_release);
  if (gate == (kWaiting | 1)) WakeAll(gate_);
}

}  // namespace linnet
