// SPDX-License-Identifier: Apache-2.0
package linnet.android.tests;

import static org.junit.Assert.assertArrayEquals;
import static org.junit.Assert.assertEquals;
import static org.junit.Assert.assertFalse;
import static org.junit.Assert.assertTrue;

import java.io.IOException;
import java.io.RandomAccessFile;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.channels.FileChannel;
import java.util.Arrays;
import linnet.android.Backend;
import linnet.android.DType;
import linnet.android.Linnet;
import linnet.android.Plan;
import linnet.android.Session;
import linnet.android.SessionOptions;
import linnet.android.TensorInfo;
import org.junit.Test;

/** What plans and sessions do when all is well. */
public class ApiTest {
  private static final float[] ONES = {1, 1, 1};

  @Test
  public void aLibraryHasAVersion() {
    assertTrue(Linnet.version(), Linnet.version().matches("\\d+\\.\\d+\\.\\d+"));
    assertFalse(Linnet.cpuKernels().isEmpty());
  }

  @Test
  public void aPlanDescribesItsTensors() {
    try (Plan plan = Plans.open("small")) {
      assertEquals(Arrays.asList("serving_default"), plan.signatures());
      TensorInfo x = plan.inputs().get(0);
      assertEquals("x", x.name());
      assertEquals(DType.FLOAT32, x.dtype());
      assertArrayEquals(new long[] {1, 6, 6, 3}, x.shape());
      assertEquals(432, x.bytes());
      assertEquals("x float32[1,6,6,3]", x.toString());
      assertFalse(x.varies(1) || x.varies(-1) || x.varies(40));
      assertEquals(DType.INT32, plan.inputs("serving_default").get(1).dtype());
      assertEquals("softmax:0", plan.outputs().get(0).source());
      assertEquals(2, plan.outputs("serving_default").size());
    }
  }

  @Test
  public void aRunComputesFromArrays() {
    try (Plan plan = Plans.open("loop");
        Session session = new Session(plan, new SessionOptions().threads(2).maxBytes(1 << 20))) {
      session.setInput(session.inputIndex("in0"), ONES);
      session.setInput(session.inputIndex("in1"), new float[] {100});
      session.run();
      int[] rounds = new int[1];
      float[] doubled = new float[3];
      session.getOutput(session.outputIndex("out0"), rounds);
      session.getOutput(session.outputIndex("out1"), doubled);
      assertEquals(6, rounds[0]);
      assertArrayEquals(new float[] {64, 64, 64}, doubled, 0);
      assertArrayEquals(new long[0], session.outputShape(0));
    }
  }

  @Test
  public void buffersOfEachKindAreCopied() {
    try (Plan plan = Plans.open("sum");
        Session session = new Session(plan)) {
      for (ByteBuffer memory : new ByteBuffer[] {ByteBuffer.allocate(20), ByteBuffer.allocateDirect(20)}) {
        memory.order(ByteOrder.nativeOrder()).position(4);
        memory.putFloat(2).putFloat(3).putFloat(4).flip().position(4);
        session.setInput(0, memory);
        session.setInput(0, memory.isDirect() ? memory.asReadOnlyBuffer() : memory);
        session.setInput(1, new int[] {1});
        session.run();
        float[] wanted = new float[3];
        session.getOutput(0, wanted);
        session.getOutput(0, memory);
        assertEquals(4, memory.position());
        for (float value : wanted) {
          assertEquals(value, memory.getFloat(), 0);
        }
      }
    }
  }

  @Test
  public void boundBuffersAreUsedInPlace() {
    try (Plan plan = Plans.open("sum");
        Session session = new Session(plan)) {
      ByteBuffer input = session.inputs().get(0).newBuffer();
      ByteBuffer output = session.outputs().get(0).newBuffer();
      assertEquals(ByteOrder.nativeOrder(), input.order());
      assertEquals(12, input.remaining());
      session.bindInput(0, input);
      session.bindOutput(0, output);
      float[] copy = new float[3];
      float sum = 1; // the plan's state, which grows by the input
      for (int round = 0; round < 3; ++round) {
        input.putFloat(0, round);
        session.setInput(1, new int[] {0});
        session.run();
        sum += round;
        assertEquals(sum, output.getFloat(0), 0);
        session.getOutput(0, copy);
        assertEquals(sum, copy[0], 0);
      }
      session.bindInput(0, null);
      session.bindOutput(0, null);
      session.setInput(0, ONES); // allowed again
      session.setInput(1, new int[] {0});
      session.reset();
      session.run();
      session.getOutput(0, copy);
      assertArrayEquals(new float[] {2, 3, 4}, copy, 0);
      assertEquals(sum, output.getFloat(0), 0); // no longer written
    }
  }

  @Test
  public void shapesVary() {
    try (Plan plan = Plans.open("varying");
        Session session = new Session(plan)) {
      assertTrue(plan.inputs().get(0).varies(0));
      assertArrayEquals(new long[] {8, 3}, session.inputShape(0));
      session.setInputShape(0, 2, 3);
      assertArrayEquals(new long[] {2, 3}, session.inputShape(0));
      session.setInput(0, new float[] {1, 2, 3, 4, 5, 6});
      session.setInput(1, new boolean[] {false, true, true, false, false, false, false, true});
      session.run();
      assertArrayEquals(new long[] {2, 3}, session.outputShape(0));
      assertArrayEquals(new long[] {3, 1}, session.outputShape(2));
      long[] found = new long[3];
      session.getOutput(2, found);
      assertArrayEquals(new long[] {1, 2, 7}, found);
    }
  }

  @Test
  public void plansOpenFromDirectBuffers() throws IOException {
    try (RandomAccessFile file = new RandomAccessFile(Plans.file("sum"), "r")) {
      ByteBuffer mapped = file.getChannel().map(FileChannel.MapMode.READ_ONLY, 0, file.length());
      ByteBuffer shifted = ByteBuffer.allocateDirect((int) file.length() + 3);
      shifted.position(3);
      shifted.put(mapped.duplicate()).position(3);
      try (Plan first = Plan.open(mapped);
          Plan second = Plan.open(shifted);
          Session session = new Session(second)) {
        assertEquals(first.inputs().toString(), second.inputs().toString());
        session.setInput(0, ONES);
        session.setInput(1, new int[] {2});
        session.run();
      }
    }
  }

  @Test
  public void aSessionSaysWhatRunsIt() {
    try (Plan plan = Plans.open("sum");
        Session portable = new Session(plan, new SessionOptions().backend(Backend.PORTABLE));
        Session session = new Session(plan, new SessionOptions().signature("serving_default"))) {
      assertEquals(Backend.PORTABLE, portable.backend());
      assertEquals(Backend.CPU, session.backend());
      assertFalse(session.whyNotGpu().isEmpty());
    }
  }
}
