// SPDX-License-Identifier: Apache-2.0
package linnet.android;

import java.nio.ByteBuffer;
import java.util.Collections;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.locks.ReentrantLock;

/**
 * Runs a plan. Any thread may call a session's methods; they wait for a run in progress, but for
 * {@link #cancel} and {@link #close}, which make it end. Sessions of one plan run in parallel. A
 * session that is not closed stays in memory until the process ends.
 *
 * <p>Arguments that do not fit are an {@link IllegalArgumentException}, a session that is closed an
 * {@link IllegalStateException}, and what the runtime refuses a {@link LinnetException}.
 */
public final class Session implements AutoCloseable {
  // Those that are open are never collected: runs use the memory of buffers and plans that only
  // they keep alive.
  private static final Set<Session> OPEN =
      Collections.newSetFromMap(new ConcurrentHashMap<Session, Boolean>());

  private final Plan plan;
  private final Ports inputs;
  private final Ports outputs;
  private final ReentrantLock turn = new ReentrantLock(); // held by whoever uses the session
  private final Object alive = new Object(); // held while `handle` is cleared, or used without a turn
  private long handle; // 0: closed
  private volatile boolean closing;

  /** On the CPU or the GPU, as {@link Backend#AUTO} says, with one thread. */
  public Session(Plan plan) {
    this(plan, new SessionOptions());
  }

  public Session(Plan plan, SessionOptions options) {
    int signature = plan.indexOf(options.signature);
    String name = plan.signatures().get(signature);
    if (options.threads < 0 || options.maxBytes < 0) {
      throw new IllegalArgumentException("threads and maxBytes must not be negative");
    }
    byte[] cacheFile =
        options.cacheFile == null ? null : Native.bytes(options.cacheFile, "the cache's path");
    this.plan = plan;
    this.inputs = new Ports("input", plan.inputs(name));
    this.outputs = new Ports("output", plan.outputs(name));
    boolean created = false;
    long opened = plan.retain();
    OPEN.add(this);
    try {
      handle =
          Native.createSession(
              opened,
              Native.bytes(name, "the signature"),
              options.backend.code,
              options.threads,
              options.maxBytes,
              cacheFile,
              options.kernels);
      created = true;
    } finally {
      if (!created) {
        OPEN.remove(this);
        plan.release();
      }
    }
  }

  public List<TensorInfo> inputs() {
    return inputs.infos();
  }

  public List<TensorInfo> outputs() {
    return outputs.infos();
  }

  /** The index of the input with this name or source. */
  public int inputIndex(String name) {
    return inputs.indexOf(name);
  }

  /** The index of the output with this name or source. */
  public int outputIndex(String name) {
    return outputs.indexOf(name);
  }

  /**
   * Gives an input whose dimensions vary the shape that it has from the next run on. Its data has to
   * be written afterwards.
   */
  public void setInputShape(int index, long... shape) {
    inputs.checkRank(index, shape);
    long session = begin();
    try {
      Native.setInputShape(session, index, shape);
    } finally {
      turn.unlock();
    }
  }

  /** The shape that an input has in the next run. */
  public long[] inputShape(int index) {
    return shape(inputs, false, index);
  }

  /** The shape that an output had in the last run. */
  public long[] outputShape(int index) {
    return shape(outputs, true, index);
  }

  /**
   * Copies the whole input. Inputs have to be written before every run, unless {@link
   * TensorInfo#kept}.
   *
   * @param data an array of {@link DType#arrayClass}, or a {@link ByteBuffer} whose bytes between
   *     position and limit are the elements in the machine's order of bytes; its position stays
   */
  public void setInput(int index, Object data) {
    inputs.checkIndex(index);
    long session = begin();
    try {
      inputs.checkUnbound(index);
      Elements elements = Elements.of(inputs.info(index), data);
      elements.checkCount(inputs.text(index), Native.shape(session, false, index));
      Native.write(session, index, elements.memory, elements.kind, elements.start, elements.count);
    } finally {
      turn.unlock();
    }
  }

  /** Copies the whole output of the last run to an array or a buffer, as {@link #setInput} does. */
  public void getOutput(int index, Object data) {
    outputs.checkIndex(index);
    long session = begin();
    try {
      Elements elements = Elements.of(outputs.info(index), data);
      elements.checkWritable();
      elements.checkCount(outputs.text(index), Native.shape(session, true, index));
      Native.read(session, index, elements.memory, elements.kind, elements.start, elements.count);
    } finally {
      turn.unlock();
    }
  }

  /**
   * Lets every following run read the input from a direct buffer, from its position on. {@link
   * TensorInfo#newBuffer} makes one that needs no copy. null: from the session's own memory again.
   */
  public void bindInput(int index, ByteBuffer buffer) {
    bind(inputs, false, index, buffer);
  }

  /** Lets every following run write the output to a direct buffer, from its position on. */
  public void bindOutput(int index, ByteBuffer buffer) {
    if (buffer != null && buffer.isReadOnly()) {
      throw new IllegalArgumentException("an output cannot be bound to a read-only buffer");
    }
    bind(outputs, true, index, buffer);
  }

  /** Runs the plan once, on this thread and {@link SessionOptions#threads} - 1 others. */
  public void run() {
    long session = begin();
    try {
      Native.run(session);
    } finally {
      turn.unlock();
    }
  }

  /**
   * Makes the run in progress end with {@link Status#CANCELLED}; when there is none, the next one.
   * Does nothing when the session is closed.
   */
  public void cancel() {
    synchronized (alive) {
      if (handle != 0) {
        Native.cancel(handle);
      }
    }
  }

  /** Gives the model's variables the values that they have in a new session. */
  public void reset() {
    long session = begin();
    try {
      Native.reset(session);
    } finally {
      turn.unlock();
    }
  }

  /** What runs it: never {@link Backend#AUTO}. */
  public Backend backend() {
    long session = begin();
    try {
      return Backend.of(Native.backend(session));
    } finally {
      turn.unlock();
    }
  }

  /** Why the GPU does not run it, in one sentence; null when it does. */
  public String whyNotGpu() {
    long session = begin();
    try {
      return Native.whyNotGpu(session);
    } finally {
      turn.unlock();
    }
  }

  /**
   * Cancels a run in progress, waits for its end and gives the session's memory back. Does nothing
   * when the session is closed already.
   */
  @Override
  public void close() {
    closing = true;
    cancel(); // ends the run in progress, or the one that is about to begin
    turn.lock();
    try {
      long session;
      synchronized (alive) {
        session = handle;
        handle = 0;
      }
      if (session != 0) {
        Native.destroySession(session);
        OPEN.remove(this);
        plan.release();
      }
    } finally {
      turn.unlock();
    }
  }

  /** Waits for this thread's turn, which ends with turn.unlock(). */
  private long begin() {
    turn.lock();
    if (closing || handle == 0) {
      turn.unlock();
      throw new IllegalStateException("the session is closed");
    }
    return handle;
  }

  private long[] shape(Ports ports, boolean output, int index) {
    ports.checkIndex(index);
    long session = begin();
    try {
      return Native.shape(session, output, index);
    } finally {
      turn.unlock();
    }
  }

  private void bind(Ports ports, boolean output, int index, ByteBuffer buffer) {
    ports.checkBuffer(index, buffer);
    long session = begin();
    try {
      int start = buffer == null ? 0 : buffer.position();
      int bytes = buffer == null ? 0 : buffer.capacity() - start;
      Native.bind(session, output, index, buffer, start, bytes);
      ports.keep(index, buffer);
    } finally {
      turn.unlock();
    }
  }
}
