// SPDX-License-Identifier: Apache-2.0
package linnet.android.tests;

import java.io.File;
import java.io.IOException;
import java.lang.reflect.Array;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.Paths;
import java.util.LinkedHashMap;
import java.util.Locale;
import java.util.Map;
import linnet.android.Backend;
import linnet.android.Plan;
import linnet.android.Session;
import linnet.android.SessionOptions;
import linnet.android.TensorInfo;

/**
 * Runs a plan on files of NumPy's with the options of linnet-run, so that tests/models/model_test.py
 * compares what Java gets with TensorFlow's numbers. Every input and output goes both ways: copied
 * from and to arrays, and in buffers that the runs use.
 */
public final class RunModel {
  private Path plan;
  private Path outputs;
  private final SessionOptions options = new SessionOptions();
  private final Map<String, Path> inputs = new LinkedHashMap<>();

  private RunModel(String[] arguments) {
    plan = Paths.get(arguments[0]);
    for (int i = 1; i + 1 < arguments.length; i += 2) {
      set(arguments[i], arguments[i + 1]);
    }
  }

  private void set(String option, String value) {
    switch (option) {
      case "--output-dir":
        outputs = Paths.get(value);
        break;
      case "--backend":
        options.backend(Backend.valueOf(value.toUpperCase(Locale.ROOT)));
        break;
      case "--threads":
        options.threads(Integer.parseInt(value));
        break;
      case "--input":
        inputs.put(value.substring(0, value.indexOf('=')), Paths.get(value.substring(value.indexOf('=') + 1)));
        break;
      default:
        throw new IllegalArgumentException(option);
    }
  }

  public static void main(String[] arguments) throws IOException {
    new RunModel(arguments).run();
  }

  private void run() throws IOException {
    Files.createDirectories(outputs);
    try (Plan opened = Plan.open(new File(plan.toString()));
        Session session = new Session(opened, options)) {
      copyInputs(session);
      session.run();
      Object[] copied = new Object[session.outputs().size()];
      for (int i = 0; i < copied.length; ++i) {
        copied[i] = copyOf(session, i);
      }
      ByteBuffer[] bound = runBound(session);
      for (int i = 0; i < copied.length; ++i) {
        save(session, i, copied[i], bound[i]);
      }
    }
  }

  private void copyInputs(Session session) throws IOException {
    for (Map.Entry<String, Path> input : inputs.entrySet()) {
      int index = session.inputIndex(input.getKey());
      session.setInput(index, read(session.inputs().get(index), input.getValue()));
    }
  }

  private ByteBuffer[] runBound(Session session) throws IOException {
    for (Map.Entry<String, Path> input : inputs.entrySet()) {
      int index = session.inputIndex(input.getKey());
      ByteBuffer buffer = session.inputs().get(index).newBuffer();
      buffer.duplicate().put(read(session.inputs().get(index), input.getValue()));
      session.bindInput(index, buffer);
    }
    ByteBuffer[] buffers = new ByteBuffer[session.outputs().size()];
    for (int i = 0; i < buffers.length; ++i) {
      buffers[i] = session.outputs().get(i).newBuffer();
      session.bindOutput(i, buffers[i]);
    }
    session.run();
    return buffers;
  }

  private static ByteBuffer read(TensorInfo info, Path file) throws IOException {
    return Npy.read(file, info.dtype(), info.shape());
  }

  private static Object copyOf(Session session, int index) {
    long count = 1;
    for (long dim : session.outputShape(index)) {
      count *= dim;
    }
    Class<?> element = session.outputs().get(index).dtype().arrayClass().getComponentType();
    Object array = Array.newInstance(element, (int) count);
    session.getOutput(index, array);
    return array;
  }

  private void save(Session session, int index, Object copied, ByteBuffer bound) throws IOException {
    TensorInfo info = session.outputs().get(index);
    Object array = copyOf(session, index); // of the bound buffer
    for (int i = 0; i < Array.getLength(array); ++i) {
      if (!Array.get(array, i).equals(Array.get(copied, i))) {
        throw new AssertionError(info + ": a run in the caller's buffers gave something else");
      }
    }
    if (bound.remaining() != (long) Array.getLength(array) * info.dtype().bytes()) {
      throw new AssertionError(info + ": its buffer has " + bound.remaining() + " bytes");
    }
    String name = info.name().replace('/', '_').replace(':', '_') + ".npy";
    Npy.write(outputs.resolve(name), info.dtype(), session.outputShape(index), array);
  }
}
