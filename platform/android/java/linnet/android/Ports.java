// SPDX-License-Identifier: Apache-2.0
package linnet.android;

import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.List;

/** The inputs or the outputs of a session, and the buffers that are bound to them. */
final class Ports {
  private final String kind; // "input" or "output"
  private final List<TensorInfo> infos;
  private final ByteBuffer[] bound; // kept alive while runs use their memory

  Ports(String kind, List<TensorInfo> infos) {
    this.kind = kind;
    this.infos = infos;
    this.bound = new ByteBuffer[infos.size()];
  }

  List<TensorInfo> infos() {
    return infos;
  }

  TensorInfo info(int index) {
    return infos.get(index);
  }

  /** As "input 0, image float32[1,192,192,3],". */
  String text(int index) {
    return kind + " " + index + ", " + infos.get(index) + ",";
  }

  int indexOf(String name) {
    for (int i = 0; i < infos.size(); ++i) {
      if (isCalled(infos.get(i), name)) {
        return i;
      }
    }
    throw new IllegalArgumentException(
        "there is no " + kind + " '" + name + "'; there are " + infos);
  }

  private static boolean isCalled(TensorInfo info, String name) {
    return info.name().equals(name)
        || info.source().equals(name)
        || info.source().equals(name + ":0");
  }

  void checkIndex(int index) {
    if (index < 0 || index >= infos.size()) {
      throw new IllegalArgumentException(
          "there is no " + kind + " " + index + "; there are " + infos.size());
    }
  }

  void checkRank(int index, long[] shape) {
    checkIndex(index);
    if (shape.length != infos.get(index).rank()) {
      throw new IllegalArgumentException(
          text(index) + " cannot have the shape " + Arrays.toString(shape));
    }
  }

  void checkBuffer(int index, ByteBuffer buffer) {
    checkIndex(index);
    if (buffer == null) {
      return;
    }
    if (!buffer.isDirect()) {
      throw new IllegalArgumentException(text(index) + " can be bound to direct buffers only");
    }
    if (buffer.remaining() < infos.get(index).bytes()) {
      throw new IllegalArgumentException(
          text(index) + " has " + infos.get(index).bytes() + " bytes, the buffer "
              + buffer.remaining());
    }
  }

  void checkUnbound(int index) {
    if (bound[index] != null) {
      throw new IllegalStateException(text(index) + " is bound to a buffer: write to that");
    }
  }

  void keep(int index, ByteBuffer buffer) {
    bound[index] = buffer;
  }
}
