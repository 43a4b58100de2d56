// SPDX-License-Identifier: Apache-2.0
package linnet.android.tests;

import static org.junit.Assert.assertArrayEquals;
import static org.junit.Assert.assertEquals;
import static org.junit.Assert.assertThrows;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Paths;
import java.util.Arrays;
import linnet.android.Linnet;
import linnet.android.LinnetException;
import linnet.android.Plan;
import linnet.android.Session;
import linnet.android.SessionOptions;
import linnet.android.Status;
import org.junit.Test;

/**
 * Sessions that are given a profile of kernels: that which <code>linnet-run --measure-kernels</code>
 * wrote of the plan "large" with one thread, and which the property linnet.kernels names.
 */
public class KernelsTest {
  private static byte[] measured() throws IOException {
    return Files.readAllBytes(Paths.get(System.getProperty("linnet.kernels")));
  }

  private static float[] run(SessionOptions options) {
    try (Plan plan = Plans.open("large");
        Session session = new Session(plan, options)) {
      float[] input = new float[(int) session.inputs().get(0).bytes() / 4];
      for (int i = 0; i < input.length; ++i) {
        input[i] = i % 17 * 0.1f - 0.5f;
      }
      session.setInput(0, input);
      session.run();
      float[] output = new float[(int) session.outputs().get(0).bytes() / 4];
      session.getOutput(0, output);
      return output;
    }
  }

  /** Refused with this status and sentence; without a choice of kernels nobody looks at it. */
  private static void checkRefused(Status status, String text, SessionOptions options) {
    if (Linnet.cpuKernels().equals("none")) {
      run(options);
      return;
    }
    LinnetException refused = assertThrows(LinnetException.class, () -> run(options));
    assertEquals(status, refused.status());
    assertEquals(text, refused.getMessage());
  }

  @Test
  public void whatWasMeasuredHereIsTaken() throws IOException {
    float[] byRules = run(new SessionOptions());
    assertArrayEquals(byRules, run(new SessionOptions().kernels(measured())), 1e-4f);
    assertArrayEquals(byRules, run(new SessionOptions().kernels(null)), 0);
  }

  @Test
  public void damagedOnesAreRefused() throws IOException {
    byte[] good = measured();
    String wrongBegin = "the kernel profile, line 1: it must begin as a kernel profile does";
    checkRefused(Status.INVALID_ARGUMENT, wrongBegin, new SessionOptions().kernels(new byte[0]));
    byte[] text = "no profile".getBytes(StandardCharsets.US_ASCII);
    checkRefused(Status.INVALID_ARGUMENT, wrongBegin, new SessionOptions().kernels(text));
    int lines = 0;
    for (byte one : good) {
      lines += one == '\n' ? 1 : 0;
    }
    byte[] longer = Arrays.copyOf(good, good.length + 1); // a zero byte is a byte of the profile
    checkRefused(
        Status.INVALID_ARGUMENT,
        "the kernel profile, line " + lines + ": it must end with the number of its steps",
        new SessionOptions().kernels(longer));
  }

  @Test
  public void itIsOfSoManyThreads() throws IOException {
    checkRefused(
        Status.UNSUPPORTED,
        "the kernel profile was made with threads 1, and this is threads 2: measure again"
            + " (linnet-run --measure-kernels)",
        new SessionOptions().threads(2).kernels(measured()));
  }

  @Test
  public void theBytesAreTheOptionsOwn() throws IOException {
    byte[] profile = measured();
    SessionOptions options = new SessionOptions().kernels(profile);
    Arrays.fill(profile, (byte) 0);
    run(options);
  }
}
