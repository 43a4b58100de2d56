/* SPDX-License-Identifier: Apache-2.0
 *
 * tensors.c: inputs and outputs of a session: shapes, copies from and to Java's arrays, buffers.
 */
#include <string.h>

#include "platform/android/jni/natives.h"

static void ThrowLast(JNIEnv* env, linnet_session* session) {
  ThrowError(env, linnet_session_last_error(session));
}

static void SetInputShape(JNIEnv* env, jclass self, jlong handle, jint index, jlongArray shape) {
  (void)self;
  linnet_session* session = SessionOf(handle);
  jlong dims[LINNET_MAX_RANK];
  int64_t wanted[LINNET_MAX_RANK];
  const jsize rank = (*env)->GetArrayLength(env, shape); /* the caller compared it with the rank */
  (*env)->GetLongArrayRegion(env, shape, 0, rank, dims);
  for (jsize i = 0; i < rank; ++i) wanted[i] = dims[i];
  if (linnet_session_set_input_shape(session, index, wanted, rank) != LINNET_OK)
    ThrowLast(env, session);
}

static jlongArray Shape(JNIEnv* env, jclass self, jlong handle, jboolean output, jint index) {
  (void)self;
  int64_t dims[LINNET_MAX_RANK];
  jlong values[LINNET_MAX_RANK];
  const int32_t rank = output ? linnet_session_output_shape(SessionOf(handle), index, dims)
                              : linnet_session_input_shape(SessionOf(handle), index, dims);
  jlongArray shape = rank < 0 ? NULL : (*env)->NewLongArray(env, rank);
  if (shape == NULL) return NULL;
  for (int32_t i = 0; i < rank; ++i) values[i] = dims[i];
  (*env)->SetLongArrayRegion(env, shape, 0, rank, values);
  return shape;
}

/* Copies elements [start, start + count) of `source`: an array of the type that Java has for
 * `dtype`, or with dtype 0 bytes of a direct buffer. */
static void Write(JNIEnv* env, jclass self, jlong handle, jint index, jobject source, jint dtype,
                  jint start, jint count) {
  (void)self;
  void* to = linnet_session_input_data(SessionOf(handle), index);
  switch (dtype) {
    case 0:
      memcpy(to, (const char*)(*env)->GetDirectBufferAddress(env, source) + start, (size_t)count);
      return;
    case LINNET_FLOAT32:
      (*env)->GetFloatArrayRegion(env, source, start, count, to);
      return;
    case LINNET_FLOAT64:
      (*env)->GetDoubleArrayRegion(env, source, start, count, to);
      return;
    case LINNET_INT32:
      (*env)->GetIntArrayRegion(env, source, start, count, to);
      return;
    case LINNET_INT64:
      (*env)->GetLongArrayRegion(env, source, start, count, to);
      return;
    case LINNET_BOOL:
      (*env)->GetBooleanArrayRegion(env, source, start, count, to);
      return;
    case LINNET_UINT8:
    case LINNET_INT8:
      (*env)->GetByteArrayRegion(env, source, start, count, to);
      return;
    default: /* 16 bits: float16, int16, uint16 */
      (*env)->GetShortArrayRegion(env, source, start, count, to);
  }
}

/* The same from an output. */
static void Read(JNIEnv* env, jclass self, jlong handle, jint index, jobject target, jint dtype,
                 jint start, jint count) {
  (void)self;
  const void* from = linnet_session_output_data(SessionOf(handle), index);
  switch (dtype) {
    case 0:
      memcpy((char*)(*env)->GetDirectBufferAddress(env, target) + start, from, (size_t)count);
      return;
    case LINNET_FLOAT32:
      (*env)->SetFloatArrayRegion(env, target, start, count, from);
      return;
    case LINNET_FLOAT64:
      (*env)->SetDoubleArrayRegion(env, target, start, count, from);
      return;
    case LINNET_INT32:
      (*env)->SetIntArrayRegion(env, target, start, count, from);
      return;
    case LINNET_INT64:
      (*env)->SetLongArrayRegion(env, target, start, count, from);
      return;
    case LINNET_BOOL:
      (*env)->SetBooleanArrayRegion(env, target, start, count, from);
      return;
    case LINNET_UINT8:
    case LINNET_INT8:
      (*env)->SetByteArrayRegion(env, target, start, count, from);
      return;
    default: /* 16 bits: float16, int16, uint16 */
      (*env)->SetShortArrayRegion(env, target, start, count, from);
  }
}

/* `bytes` from `start` of a direct buffer, which the session's Java object keeps alive; NULL
 * unbinds. */
static void Bind(JNIEnv* env, jclass self, jlong handle, jboolean output, jint index,
                 jobject buffer, jint start, jint bytes) {
  (void)self;
  linnet_session* session = SessionOf(handle);
  char* address = buffer == NULL ? NULL : (*env)->GetDirectBufferAddress(env, buffer);
  if (address != NULL) address += start;
  const linnet_status status =
      output ? linnet_session_bind_output(session, index, address, (size_t)bytes)
             : linnet_session_bind_input(session, index, address, (size_t)bytes);
  if (status != LINNET_OK) ThrowLast(env, session);
}

static jlong Address(JNIEnv* env, jclass self, jobject buffer) {
  (void)self;
  return HandleOf((*env)->GetDirectBufferAddress(env, buffer));
}

const JNINativeMethod kTensorMethods[] = {
    {"setInputShape", "(JI[J)V", (void*)SetInputShape},
    {"shape", "(JZI)[J", (void*)Shape},
    {"write", "(JILjava/lang/Object;III)V", (void*)Write},
    {"read", "(JILjava/lang/Object;III)V", (void*)Read},
    {"bind", "(JZILjava/nio/ByteBuffer;II)V", (void*)Bind},
    {"address", "(Ljava/nio/ByteBuffer;)J", (void*)Address},
};
const jint kNumTensorMethods = sizeof kTensorMethods / sizeof kTensorMethods[0];
