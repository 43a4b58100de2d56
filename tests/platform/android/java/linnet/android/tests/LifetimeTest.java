// SPDX-License-Identifier: Apache-2.0
package linnet.android.tests;

import static org.junit.Assert.assertEquals;
import static org.junit.Assert.assertFalse;
import static org.junit.Assert.assertThrows;
import static org.junit.Assert.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Paths;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import linnet.android.LinnetException;
import linnet.android.Plan;
import linnet.android.Session;
import linnet.android.Status;
import org.junit.After;
import org.junit.Test;

/** Objects that are closed at any time, and threads. */
public class LifetimeTest {
  private static final int SESSIONS = 20000;
  private static final long MOST_GROWTH_KB = 4096; // what the JVM itself takes meanwhile; 200 bytes a session

  private final ExecutorService threads = Executors.newFixedThreadPool(2);

  @After
  public void endThreads() {
    threads.shutdownNow();
  }

  @Test
  public void closingTwiceAndOutOfOrder() {
    Plan plan = Plans.open("sum");
    Session first = new Session(plan);
    Session second = new Session(plan);
    plan.close();
    plan.close();
    assertThrows(IllegalStateException.class, () -> new Session(plan));
    assertEquals(2, plan.inputs().size());
    for (Session session : new Session[] {first, second}) {
      session.setInput(0, new float[3]);
      session.setInput(1, new int[] {0});
      session.run(); // the sessions keep the plan
      session.close();
      session.close();
      session.cancel();
    }
  }

  @Test
  public void nothingIsDoneAfterClosing() {
    Plan plan = Plans.open("sum");
    Session session = new Session(plan);
    session.close();
    assertThrows(IllegalStateException.class, session::run);
    assertThrows(IllegalStateException.class, session::reset);
    assertThrows(IllegalStateException.class, session::backend);
    assertThrows(IllegalStateException.class, session::whyNotGpu);
    assertThrows(IllegalStateException.class, () -> session.inputShape(0));
    assertThrows(IllegalStateException.class, () -> session.setInputShape(0, 3));
    assertThrows(IllegalStateException.class, () -> session.setInput(0, new float[3]));
    assertThrows(IllegalStateException.class, () -> session.getOutput(0, new float[3]));
    assertThrows(IllegalStateException.class, () -> session.bindInput(0, null));
    assertEquals("x", session.inputs().get(0).name());
    plan.close();
  }

  /** Closed a little later each time: before, at and after the beginning of the run. */
  @Test
  public void closingEndsTheRun() throws Exception {
    try (Plan plan = Plans.open("loop")) {
      int cancelled = 0;
      for (int i = 0; i < 100; ++i) {
        Session session = Plans.endless(plan);
        CountDownLatch started = new CountDownLatch(1);
        Future<?> run = threads.submit(() -> { started.countDown(); session.run(); });
        Future<?> other = threads.submit(session::run); // waits for its turn, or is first
        started.await();
        long until = System.nanoTime() + i * 20000L;
        while (System.nanoTime() < until) {
          Thread.yield();
        }
        session.close();
        cancelled += endOf(run) + endOf(other);
      }
      assertTrue("no run was cancelled", cancelled > 0);
    }
  }

  /** 1 for a run that was cancelled, 0 for one that found the session closed. */
  private static int endOf(Future<?> run) throws InterruptedException {
    ExecutionException end = assertThrows(ExecutionException.class, run::get);
    if (end.getCause() instanceof IllegalStateException) {
      return 0;
    }
    LinnetException why = (LinnetException) end.getCause();
    assertEquals(Status.CANCELLED, why.status());
    assertFalse(why.getMessage().isEmpty());
    return 1;
  }

  @Test
  public void cancellingLeavesTheSessionUsable() throws Exception {
    try (Plan plan = Plans.open("loop");
        Session session = Plans.endless(plan)) {
      for (int i = 0; i < 20; ++i) {
        Future<?> run = threads.submit(session::run);
        session.cancel(); // of this run, also when it has not begun yet
        assertEquals(1, endOf(run));
        session.setInput(0, new float[3]);
        session.setInput(1, new float[] {1});
      }
      session.setInput(0, new float[] {1, 1, 1});
      session.run();
    }
  }

  @Test
  public void twoThreadsWithASessionEach() throws Exception {
    try (Plan plan = Plans.open("loop")) {
      List<Future<?>> ends = new ArrayList<>();
      for (int thread = 0; thread < 2; ++thread) {
        float limit = thread == 0 ? 10 : 1000;
        int wanted = thread == 0 ? 2 : 9;
        ends.add(threads.submit(() -> {
          try (Session session = new Session(plan)) {
            for (int i = 0; i < 2000; ++i) {
              assertEquals(wanted, rounds(session, limit));
            }
          }
        }));
      }
      for (Future<?> end : ends) {
        end.get();
      }
    }
  }

  @Test
  public void twoThreadsShareASession() throws Exception {
    try (Plan plan = Plans.open("loop");
        Session session = new Session(plan)) {
      session.setInput(0, new float[] {1, 1, 1});
      session.setInput(1, new float[] {10});
      List<Future<?>> ends = new ArrayList<>();
      for (int thread = 0; thread < 2; ++thread) {
        ends.add(threads.submit(() -> {
          for (int i = 0; i < 2000; ++i) {
            session.setInput(0, new float[] {1, 1, 1});
            session.setInput(1, new float[] {10});
            session.run();
            int[] count = new int[1];
            session.getOutput(0, count);
          }
        }));
      }
      for (Future<?> end : ends) {
        end.get();
      }
      assertEquals(2, rounds(session, 10));
    }
  }

  private static int rounds(Session session, float limit) {
    session.setInput(0, new float[] {1, 1, 1});
    session.setInput(1, new float[] {limit});
    session.run();
    int[] count = new int[1];
    session.getOutput(0, count);
    return count[0];
  }

  @Test
  public void manySessionsTakeNoMemory() throws IOException {
    createSessions(SESSIONS / 10);
    long before = residentKb();
    createSessions(SESSIONS);
    long growth = residentKb() - before;
    System.out.println(SESSIONS + " sessions: resident memory grew by " + growth + " KB");
    assertTrue("grew by " + growth + " KB", growth <= MOST_GROWTH_KB);
  }

  /** Each with its plan, a run, a failed run and a refused argument. */
  private static void createSessions(int count) {
    for (int i = 0; i < count; ++i) {
      try (Plan plan = Plans.open("sum");
          Session session = new Session(plan)) {
        session.setInput(0, new float[3]);
        session.setInput(1, new int[] {i % 4});
        boolean failed = false;
        try {
          session.run();
        } catch (LinnetException expected) {
          failed = true;
        }
        assertEquals(i % 4 == 3, failed);
        session.getOutput(2, new float[1]);
      }
    }
  }

  private static long residentKb() throws IOException {
    System.gc();
    for (String line : Files.readAllLines(Paths.get("/proc/self/status"))) {
      if (line.startsWith("VmRSS:")) {
        return Long.parseLong(line.replaceAll("\\D", ""));
      }
    }
    throw new IOException("no VmRSS in /proc/self/status");
  }
}
