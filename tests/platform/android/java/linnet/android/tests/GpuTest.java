// SPDX-License-Identifier: Apache-2.0
package linnet.android.tests;

import static org.junit.Assert.assertArrayEquals;
import static org.junit.Assert.assertEquals;
import static org.junit.Assert.assertNull;
import static org.junit.Assert.assertTrue;

import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.util.Arrays;
import linnet.android.Backend;
import linnet.android.Plan;
import linnet.android.Session;
import linnet.android.SessionOptions;
import org.junit.Assume;
import org.junit.Rule;
import org.junit.Test;
import org.junit.rules.TemporaryFolder;

/** A plan with a program for GPUs, which the property linnet.gpu_plan names, and what is kept of it. */
public class GpuTest {
  @Rule public final TemporaryFolder folder = new TemporaryFolder();

  /** Runs it; fails the assumption where the machine has no driver. */
  private static float[] run(File cache) {
    SessionOptions options = new SessionOptions().backend(Backend.VULKAN).cacheFile(cache);
    try (Plan plan = Plan.open(System.getProperty("linnet.gpu_plan"));
        Session session = new Session(plan, options)) {
      if (session.backend() != Backend.VULKAN) {
        System.out.println("SKIPPED: " + session.whyNotGpu());
        Assume.assumeTrue(session.whyNotGpu(), false);
      }
      assertNull(session.whyNotGpu());
      session.setInput(0, new float[] {0.5f, 0.25f, 1});
      session.run();
      float[] output = new float[2];
      session.getOutput(0, output);
      return output;
    }
  }

  @Test
  public void whatWasLearnedIsKept() throws IOException {
    File cache = new File(folder.getRoot(), "plan.cache");
    float[] first = run(cache);
    assertEquals(1, first[0] + first[1], 1e-6);
    assertArrayEquals(new String[] {"plan.cache"}, folder.getRoot().list()); // no other name is left
    byte[] kept = Files.readAllBytes(cache.toPath());
    assertTrue(kept.length > 0);
    assertArrayEquals(first, run(cache), 0);

    Files.write(cache.toPath(), Arrays.copyOf(kept, kept.length / 2)); // damaged: as if it were not there
    assertArrayEquals(first, run(cache), 0);
    assertTrue(Files.size(cache.toPath()) > kept.length / 2);
  }

  @Test
  public void aFileThatCannotBeWrittenIsNoError() {
    float[] output = run(new File(folder.getRoot(), "none/plan.cache"));
    assertEquals(1, output[0] + output[1], 1e-6);
    assertEquals(0, folder.getRoot().list().length);
  }
}
