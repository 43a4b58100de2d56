// SPDX-License-Identifier: Apache-2.0
package linnet.android.tests;

import static org.junit.Assert.assertEquals;
import static org.junit.Assert.assertThrows;

import java.lang.reflect.Array;
import java.nio.ByteBuffer;
import java.util.EnumSet;
import java.util.List;
import linnet.android.DType;
import linnet.android.Plan;
import linnet.android.Session;
import linnet.android.TensorInfo;
import org.junit.Test;

/** Each type of elements, by types.pbtxt: inputs [2,3] of which the outputs are the transposes. */
public class TypesTest {
  private static final int COUNT = 6;
  private static final int[] TRANSPOSED = {0, 3, 1, 4, 2, 5};

  /** Six different elements; of unsigned types, values that are negative in Java; of bool, two. */
  private static Object elements(DType dtype) {
    Object array = Array.newInstance(dtype.arrayClass().getComponentType(), COUNT);
    for (int i = 0; i < COUNT; ++i) {
      switch (dtype) {
        case FLOAT32: Array.set(array, i, i + 0.5f); break;
        case FLOAT64: Array.set(array, i, i + 0.5); break;
        case FLOAT16: Array.set(array, i, (short) (0x3c00 + 64 * i)); break; // 1, 1.0625, ...
        case INT32: Array.set(array, i, -i); break;
        case INT64: Array.set(array, i, (1L << 40) - i); break;
        case UINT8:
        case INT8: Array.set(array, i, (byte) (-100 - i)); break;
        case INT16:
        case UINT16: Array.set(array, i, (short) (-1000 - i)); break;
        case BOOL: Array.set(array, i, i % 3 == 0); break;
        default: throw new AssertionError(dtype);
      }
    }
    return array;
  }

  private static void assertTransposed(TensorInfo info, Object input, Object output) {
    for (int i = 0; i < COUNT; ++i) {
      assertEquals(info + " at " + i, Array.get(input, TRANSPOSED[i]), Array.get(output, i));
    }
  }

  @Test
  public void everyTypeGoesThroughArraysAndBuffers() {
    EnumSet<DType> missing = EnumSet.allOf(DType.class);
    try (Plan plan = Plan.open(System.getProperty("linnet.types_plan"));
        Session session = new Session(plan)) {
      List<TensorInfo> inputs = session.inputs();
      for (int i = 0; i < inputs.size(); ++i) {
        session.setInput(i, elements(inputs.get(i).dtype()));
      }
      session.run();
      for (int i = 0; i < inputs.size(); ++i) {
        DType dtype = session.outputs().get(i).dtype();
        assertEquals(inputs.get(i).dtype(), dtype);
        assertEquals(COUNT * dtype.bytes(), inputs.get(i).bytes());
        Object output = Array.newInstance(dtype.arrayClass().getComponentType(), COUNT);
        session.getOutput(i, output);
        assertTransposed(inputs.get(i), elements(dtype), output);

        ByteBuffer bytes = ByteBuffer.allocate(COUNT * dtype.bytes());
        ByteBuffer direct = ByteBuffer.allocateDirect(COUNT * dtype.bytes());
        session.getOutput(i, bytes);
        session.getOutput(i, direct);
        assertEquals(direct, bytes);
        missing.remove(dtype);
      }
    }
    assertEquals(EnumSet.noneOf(DType.class), missing);
  }

  @Test
  public void everyOtherArrayIsRefused() {
    try (Plan plan = Plan.open(System.getProperty("linnet.types_plan"));
        Session session = new Session(plan)) {
      for (int i = 0; i < session.inputs().size(); ++i) {
        int index = i;
        for (DType other : DType.values()) {
          if (other.arrayClass() != session.inputs().get(i).dtype().arrayClass()) {
            assertThrows(IllegalArgumentException.class, () -> session.setInput(index, elements(other)));
            assertThrows(IllegalArgumentException.class, () -> session.getOutput(index, elements(other)));
          }
        }
      }
    }
  }
}
