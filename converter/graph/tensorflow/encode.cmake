# SPDX-License-Identifier: Apache-2.0
# cmake -DPROTOC=protoc -DROOT=source-dir -DIN=ops.pbtxt -DOUT=ops.bin -P encode.cmake
# A tf::OpList in text form becomes the binary form (protoc reads standard input).
execute_process(
  COMMAND ${PROTOC} --proto_path=${ROOT} --encode=linnet.tf.OpList ${ROOT}/schema/tensorflow/op_def.proto
  INPUT_FILE ${IN} OUTPUT_FILE ${OUT} COMMAND_ERROR_IS_FATAL ANY)
