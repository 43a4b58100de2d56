// SPDX-License-Identifier: Apache-2.0
package linnet.android.tests.kotlin

import java.io.File
import java.nio.ByteBuffer
import linnet.android.Backend
import linnet.android.DType
import linnet.android.LinnetException
import linnet.android.Plan
import linnet.android.Session
import linnet.android.SessionOptions
import linnet.android.Status
import linnet.android.TensorInfo
import linnet.android.tests.Npy

/** As RunModel.java, in Kotlin: with the options of linnet-run, for tests/models/model_test.py. */
fun main(arguments: Array<String>) {
  val options = arguments.drop(1).chunked(2) { (name, value) -> name to value }
  val backend = options.single("--backend")
  val threads = options.single("--threads").toInt()
  val folder = File(options.single("--output-dir")).apply { mkdirs() }
  val inputs = options.filter { it.first == "--input" }.associate { it.second.substringBefore('=') to it.second.substringAfter('=') }

  Plan.open(arguments[0]).use { plan ->
    Session(plan, SessionOptions().backend(Backend.valueOf(backend.uppercase())).threads(threads)).use { session ->
      for ((name, file) in inputs) {
        val index = session.inputIndex(name)
        session.setInput(index, session.inputs()[index].read(file))
      }
      session.run()
      session.outputs().forEachIndexed { index, info ->
        val elements = info.newArray(session.outputShape(index))
        session.getOutput(index, elements)
        val file = File(folder, info.name().replace('/', '_').replace(':', '_') + ".npy")
        Npy.write(file.toPath(), info.dtype(), session.outputShape(index), elements)
      }
      session.refusesWhatDoesNotFit()
    }
  }
}

private fun List<Pair<String, String>>.single(name: String) = single { it.first == name }.second

private fun TensorInfo.read(file: String): ByteBuffer = Npy.read(File(file).toPath(), dtype(), shape())

private fun TensorInfo.newArray(shape: LongArray): Any {
  val count = shape.fold(1L, Long::times).toInt()
  return when (dtype()) {
    DType.FLOAT32 -> FloatArray(count)
    DType.INT32 -> IntArray(count)
    DType.INT64 -> LongArray(count)
    DType.UINT8 -> ByteArray(count)
    else -> error("no model of the tests has ${dtype()}")
  }
}

/** What is an exception in Java is one in Kotlin. */
private fun Session.refusesWhatDoesNotFit() {
  val refused = runCatching { setInput(0, DoubleArray(1)) }.exceptionOrNull()
  check(refused is IllegalArgumentException && "not double[]" in refused.message!!) { "$refused" }
  val unknown = runCatching { Plan.open("/none.linnet") }.exceptionOrNull()
  check(unknown is LinnetException && unknown.status() == Status.IO) { "$unknown" }
}
