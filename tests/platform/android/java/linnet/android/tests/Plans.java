// SPDX-License-Identifier: Apache-2.0
package linnet.android.tests;

import static org.junit.Assert.assertThrows;

import java.io.File;
import linnet.android.Plan;
import linnet.android.Session;
import org.junit.function.ThrowingRunnable;

/** The small plans of tests/golden/plans, which the property linnet.plans names. */
final class Plans {
  private Plans() {}

  static File file(String name) {
    return new File(System.getProperty("linnet.plans"), name + ".linnet");
  }

  static Plan open(String name) {
    return Plan.open(file(name));
  }

  /** A session of "loop" whose run ends only when it is cancelled. */
  static Session endless(Plan loop) {
    Session session = new Session(loop);
    session.setInput(0, new float[3]); // stays 0 however often it is doubled
    session.setInput(1, new float[] {1});
    return session;
  }

  /** The message of the exception. */
  static String messageOf(Class<? extends Exception> expected, ThrowingRunnable code) {
    return assertThrows(expected, code).getMessage();
  }
}
