// SPDX-License-Identifier: Apache-2.0
package linnet.android.tests;

import static linnet.android.tests.Plans.messageOf;
import static org.junit.Assert.assertEquals;
import static org.junit.Assert.assertThrows;
import static org.junit.Assert.assertTrue;

import java.io.File;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.util.Arrays;
import linnet.android.LinnetException;
import linnet.android.Plan;
import linnet.android.Session;
import linnet.android.SessionOptions;
import linnet.android.Status;
import org.junit.Rule;
import org.junit.Test;
import org.junit.rules.TemporaryFolder;

/** What does not fit throws, says why, and leaves everything usable. */
public class ErrorsTest {
  @Rule public final TemporaryFolder folder = new TemporaryFolder();

  @Test
  public void filesThatAreNoPlans() throws IOException {
    File missing = new File(folder.getRoot(), "\u00e4\ud83d\ude00.linnet");
    LinnetException none = assertThrows(LinnetException.class, () -> Plan.open(missing));
    assertEquals(Status.IO, none.status());
    assertEquals(-1, none.step());
    assertTrue(none.getMessage(), none.getMessage().contains("cannot open the file"));
    Files.copy(Plans.file("sum").toPath(), missing.toPath());
    Plan.open(missing).close(); // a name beyond ASCII

    byte[] bytes = Files.readAllBytes(missing.toPath());
    Files.write(missing.toPath(), Arrays.copyOf(bytes, bytes.length / 2));
    LinnetException cut = assertThrows(LinnetException.class, () -> Plan.open(missing));
    assertEquals(Status.INVALID_PLAN, cut.status());
    assertTrue(messageOf(IllegalArgumentException.class, () -> Plan.open("a\0b")).contains("zero"));
    assertEquals(
        Status.INVALID_ARGUMENT, assertThrows(LinnetException.class, () -> Plan.open(-1, 0, 0)).status());
    assertThrows(IllegalArgumentException.class, () -> Plan.open(ByteBuffer.allocate(64)));
    assertThrows(LinnetException.class, () -> Plan.open(ByteBuffer.allocateDirect(64)));
    assertThrows(LinnetException.class, () -> Plan.open(ByteBuffer.allocateDirect(0)));
  }

  @Test
  public void arraysOfAnotherSizeOrType() {
    try (Plan plan = Plans.open("sum");
        Session session = new Session(plan)) {
      assertEquals(
          "input 0, x float32[3], has 3 elements now, and was given 4",
          messageOf(IllegalArgumentException.class, () -> session.setInput(0, new float[4])));
      assertEquals(
          "input 0, x float32[3], has 12 bytes now, and was given 11",
          messageOf(IllegalArgumentException.class, () -> session.setInput(0, ByteBuffer.allocate(11))));
      assertEquals(
          "x float32[3] wants float[] or a ByteBuffer, not int[]",
          messageOf(IllegalArgumentException.class, () -> session.setInput(0, new int[3])));
      for (Object wrong : new Object[] {null, "text", new double[3], new Float[3], new float[2]}) {
        assertThrows(IllegalArgumentException.class, () -> session.setInput(0, wrong));
        assertThrows(IllegalArgumentException.class, () -> session.getOutput(0, wrong));
      }
      ByteBuffer constant = ByteBuffer.allocateDirect(12).asReadOnlyBuffer();
      assertThrows(IllegalArgumentException.class, () -> session.getOutput(0, constant));
      assertThrows(IllegalArgumentException.class, () -> session.bindOutput(0, constant));
      ByteBuffer onHeap = ByteBuffer.allocate(12).asReadOnlyBuffer();
      assertThrows(IllegalArgumentException.class, () -> session.setInput(0, onHeap));
      session.setInput(0, new float[3]);
      session.setInput(1, new int[] {0});
      session.run();
    }
  }

  @Test
  public void indicesAndNames() {
    try (Plan plan = Plans.open("sum");
        Session session = new Session(plan)) {
      for (int index : new int[] {-1, 2, Integer.MAX_VALUE, Integer.MIN_VALUE}) {
        assertThrows(IllegalArgumentException.class, () -> session.setInput(index, new float[3]));
        int output = index < 0 ? index : index + 1;
        assertThrows(IllegalArgumentException.class, () -> session.getOutput(output, new float[3]));
        assertThrows(IllegalArgumentException.class, () -> session.bindInput(index, null));
        assertThrows(IllegalArgumentException.class, () -> session.inputShape(index));
        assertThrows(IllegalArgumentException.class, () -> session.setInputShape(index, 3));
      }
      assertTrue(
          messageOf(IllegalArgumentException.class, () -> session.inputIndex("y"))
              .contains("there is no input 'y'; there are [x float32[3]"));
      assertThrows(IllegalArgumentException.class, () -> session.outputIndex("x"));
      assertThrows(IllegalArgumentException.class, () -> plan.inputs("train"));
    }
  }

  @Test
  public void buffersThatCannotBeBound() {
    try (Plan plan = Plans.open("sum");
        Session session = new Session(plan)) {
      assertThrows(IllegalArgumentException.class, () -> session.bindInput(0, ByteBuffer.allocate(12)));
      assertThrows(
          IllegalArgumentException.class, () -> session.bindInput(0, ByteBuffer.allocateDirect(11)));
      ByteBuffer late = ByteBuffer.allocateDirect(12);
      late.position(1);
      assertThrows(IllegalArgumentException.class, () -> session.bindOutput(0, late));
      session.bindInput(0, session.inputs().get(0).newBuffer());
      assertThrows(IllegalStateException.class, () -> session.setInput(0, new float[3]));
    }
  }

  @Test
  public void shapesOutOfBounds() {
    try (Plan plan = Plans.open("varying");
        Session session = new Session(plan)) {
      for (long[] shape : new long[][] {{9, 3}, {-1, 3}, {2, 4}, {Long.MAX_VALUE, 3}}) {
        LinnetException refused =
            assertThrows(LinnetException.class, () -> session.setInputShape(0, shape));
        assertEquals(Status.INVALID_ARGUMENT, refused.status());
      }
      assertThrows(IllegalArgumentException.class, () -> session.setInputShape(0, new long[40]));
      assertThrows(IllegalArgumentException.class, () -> session.setInputShape(0));
    }
  }

  @Test
  public void runsThatFailNameTheStep() {
    try (Plan plan = Plans.open("sum");
        Session session = new Session(plan)) {
      session.setInput(0, new float[3]);
      session.setInput(1, new int[] {3});
      LinnetException failed = assertThrows(LinnetException.class, session::run);
      assertEquals(Status.BAD_INDEX, failed.status());
      assertEquals(1, failed.step());
      assertTrue(failed.getMessage(), failed.getMessage().contains("picked"));
      session.setInput(0, new float[3]);
      session.setInput(1, new int[] {2});
      session.run();
    }
  }

  @Test
  public void sessionsThatCannotBe() {
    try (Plan plan = Plans.open("small")) {
      assertTrue(
          messageOf(
                  IllegalArgumentException.class,
                  () -> new Session(plan, new SessionOptions().signature("train")))
              .contains("it has [serving_default]"));
      assertThrows(
          IllegalArgumentException.class, () -> new Session(plan, new SessionOptions().threads(-1)));
      assertThrows(
          IllegalArgumentException.class, () -> new Session(plan, new SessionOptions().maxBytes(-1)));
      LinnetException large =
          assertThrows(
              LinnetException.class, () -> new Session(plan, new SessionOptions().maxBytes(100)));
      assertEquals(Status.NO_MEMORY, large.status());
      assertTrue(large.bytesNeeded() >= 0);
    }
  }
}
