// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <atomic>
#include <cstdint>

#include "runtime/core/parallel.h"
#include "runtime/threads/share.h"

namespace linnet {

// Threads that help the thread which calls Run. A job reaches workers that are awake in less than a
// microsecond; between jobs they spin for some microseconds and then sleep. The caller works too.
// It waits only for workers that have joined the job, so on a machine without a free core it does
// all the work itself. README.md explains the protocol.
class Team {
 public:
  // Starts threads - 1 workers, or fewer when the system starts no more; null when out of memory.
  static Team* Open(int threads);
  // Ends the workers and frees the team. In a child process after fork, where the workers do not
  // exist, only frees.
  void Close();
  Team(const Team&) = delete;
  Team& operator=(const Team&) = delete;

  // Threads that may work on a job, the caller included; >= 1.
  int threads() const { return 1 + num_workers_; }
  Parallel parallel();

  using Task = void (*)(void* context, int64_t index);
  // Calls task(context, i) once for every i in [0, tasks) and returns when all are done. Allocates
  // nothing. The calling thread does everything alone when it is in a task of the same team, while
  // another thread runs a job, and in a child process after fork.
  void Run(Task task, void* context, int64_t tasks);

 private:
  struct Worker;

  Team(Worker* workers, int most) : workers_(workers), most_workers_(most) {}
  ~Team() = default;
  static int64_t BytesFor(int workers);
  void StartWorkers();

  // What the caller does.
  void RunWithWorkers(Task task, void* context, uint32_t tasks);
  bool ChooseWorkers(int64_t now, uint32_t tasks);
  void Notice(Worker& worker, int64_t now);
  void DealOut(uint32_t tasks);
  void WakeChosen(int64_t now);
  void WaitForWorkers();
  void JudgeWorkers(int64_t waiting_since);

  // What a worker does.
  static void WorkerMain(void* worker);
  void Serve(Worker& self);
  uint32_t AwaitJob(Worker& self, uint32_t seen);
  bool Join();
  void Help(Worker& self);
  static void Woke(Worker& self);
  static bool LostCore(Worker& self, int64_t now);
  void Leave();

  Share& share(int member);
  bool Take(int member, uint32_t* index);

  // What is written in each job is apart from what others read meanwhile: a line of the cache that
  // goes from core to core takes up to a quarter of a microsecond.

  // Set before the workers start.
  Worker* const workers_;
  const int most_workers_;
  int num_workers_ = 0;  // that have started
  uint32_t forks_ = 0;
  int64_t worker_spin_ns_ = 0, caller_spin_ns_ = 0;

  // The caller's.
  alignas(64) std::atomic<bool> busy_ = false;  // a job is being done
  int chosen_ = 0;                              // workers with a share in the job
  alignas(64) Share caller_share_;

  // The job, on one line: a worker that sees a new count has the rest with it. The task is written
  // while the gate is closed and no worker is inside.
  alignas(64) std::atomic<uint32_t> jobs_ = 0;  // number of jobs so far; workers sleep on it
  std::atomic<uint32_t> gate_ = 0;              // see team.cc; the caller sleeps on it
  std::atomic<bool> stop_ = false;
  Task task_ = nullptr;
  void* context_ = nullptr;
};

}  // namespace linnet
