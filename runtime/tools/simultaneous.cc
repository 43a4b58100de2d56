// SPDX-License-Identifier: Apache-2.0
#include "runtime/tools/simultaneous.h"

#ifndef LINNET_NO_THREADS
#include <pthread.h>
#include <sched.h>
#endif

#include <atomic>
#include <cstdint>
#include <vector>

#include "runtime/tools/benchmark.h"

namespace linnet::tools {
namespace {

struct Member {
  const std::function<double(int)>* work = nullptr;
  std::atomic<int>* awaited = nullptr;  // threads that have not come yet
  int number = 0;
  ThreadWork result;
};

void WorkWithOthers(Member& self) {
  self.awaited->fetch_sub(1);
  while (self.awaited->load() > 0) {
#ifndef LINNET_NO_THREADS
    sched_yield();  // the others may need this core
#endif
  }
  self.result.begin_ns = NowNs();
  self.result.done = (*self.work)(self.number);
  self.result.end_ns = NowNs();
}

#ifndef LINNET_NO_THREADS
void* MemberMain(void* member) {
  WorkWithOthers(*static_cast<Member*>(member));
  return nullptr;
}
#endif

}  // namespace

std::vector<ThreadWork> RunTogether(int threads, const std::function<double(int)>& work) {
#ifdef LINNET_NO_THREADS
  threads = 1;
#endif
  std::atomic<int> awaited = threads;
  std::vector<Member> members(static_cast<size_t>(threads));
  for (int i = 0; i < threads; ++i)
    members[static_cast<size_t>(i)] = {.work = &work, .awaited = &awaited, .number = i};
#ifndef LINNET_NO_THREADS
  std::vector<pthread_t> started;
  for (size_t i = 1; i < members.size(); ++i) {
    pthread_t thread;
    if (pthread_create(&thread, nullptr, MemberMain, &members[i]) == 0)
      started.push_back(thread);
    else
      awaited.fetch_sub(1);
  }
#endif
  WorkWithOthers(members[0]);
#ifndef LINNET_NO_THREADS
  for (const pthread_t thread : started) pthread_join(thread, nullptr);
#endif
  std::vector<ThreadWork> results;
  for (const Member& member : members)
    if (member.result.end_ns != 0) results.push_back(member.result);
  return results;
}

}  // namespace linnet::tools
