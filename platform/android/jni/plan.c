/* SPDX-License-Identifier: Apache-2.0
 *
 * plan.c: plans, and what they say about their inputs and outputs.
 */
#include <stdlib.h>

#include "platform/android/jni/natives.h"

/* The plan, or an exception. */
static jlong Opened(JNIEnv* env, linnet_status status, linnet_plan* plan,
                    const linnet_error* error) {
  if (status != LINNET_OK) ThrowError(env, error);
  return HandleOf(plan);
}

static jlong OpenFile(JNIEnv* env, jclass self, jbyteArray path) {
  (void)self;
  linnet_plan* plan = NULL;
  linnet_error error;
  char* text = CopyText(env, path);
  if (text == NULL) return 0;
  const linnet_status status = linnet_plan_open_file(text, NULL, &plan, &error);
  free(text);
  return Opened(env, status, plan, &error);
}

static jlong OpenDescriptor(JNIEnv* env, jclass self, jint descriptor, jlong offset, jlong bytes) {
  (void)self;
  linnet_plan* plan = NULL;
  linnet_error error;
  const linnet_status status = linnet_plan_open_fd(descriptor, offset, bytes, NULL, &plan, &error);
  return Opened(env, status, plan, &error);
}

static jlong OpenMemory(JNIEnv* env, jclass self, jobject buffer, jint start, jint bytes) {
  (void)self;
  linnet_plan* plan = NULL;
  linnet_error error;
  const char* data = (*env)->GetDirectBufferAddress(env, buffer);
  const linnet_status status = linnet_plan_open_memory(data == NULL ? NULL : data + start,
                                                       (size_t)bytes, NULL, &plan, &error);
  return Opened(env, status, plan, &error);
}

static void ClosePlan(JNIEnv* env, jclass self, jlong plan) {
  (void)env, (void)self;
  linnet_plan_close(PointerOf(plan));
}

static jobjectArray Signatures(JNIEnv* env, jclass self, jlong plan) {
  (void)self;
  const jint count = linnet_plan_num_signatures(PointerOf(plan));
  jobjectArray names = (*env)->NewObjectArray(env, count, java.string, NULL);
  for (jint i = 0; names != NULL && i < count; ++i) {
    jstring name = NewText(env, linnet_plan_signature(PointerOf(plan), i));
    if (name == NULL) return NULL;
    (*env)->SetObjectArrayElement(env, names, i, name);
    (*env)->DeleteLocalRef(env, name);
  }
  return names;
}

static jobject NewTensorInfo(JNIEnv* env, const linnet_tensor_info* info) {
  jobject object = NULL;
  jlong dims[LINNET_MAX_RANK];
  for (int32_t i = 0; i < info->rank; ++i) dims[i] = info->dims[i];
  jlongArray shape = (*env)->NewLongArray(env, info->rank);
  jstring name = shape == NULL ? NULL : NewText(env, info->name);
  jstring source = name == NULL ? NULL : NewText(env, info->source);
  if (source != NULL) {
    (*env)->SetLongArrayRegion(env, shape, 0, info->rank, dims);
    object = (*env)->NewObject(env, java.tensor_info, java.new_tensor_info, name, source,
                               info->dtype, shape, (jlong)info->bytes, (jint)info->varies,
                               (jboolean)((info->flags & LINNET_TENSOR_KEPT) != 0));
  }
  (*env)->DeleteLocalRef(env, shape);
  (*env)->DeleteLocalRef(env, name);
  (*env)->DeleteLocalRef(env, source);
  return object;
}

typedef const linnet_tensor_info* (*InfoOf)(const linnet_plan*, int32_t, int32_t);

static jobjectArray Infos(JNIEnv* env, const linnet_plan* plan, jint signature, jint count,
                          InfoOf info_of) {
  jobjectArray infos = (*env)->NewObjectArray(env, count, java.tensor_info, NULL);
  for (jint i = 0; infos != NULL && i < count; ++i) {
    jobject info = NewTensorInfo(env, info_of(plan, signature, i));
    if (info == NULL) return NULL;
    (*env)->SetObjectArrayElement(env, infos, i, info);
    (*env)->DeleteLocalRef(env, info);
  }
  return infos;
}

static jobjectArray Inputs(JNIEnv* env, jclass self, jlong plan, jint signature) {
  (void)self;
  return Infos(env, PointerOf(plan), signature, linnet_plan_num_inputs(PointerOf(plan), signature),
               linnet_plan_input_info);
}

static jobjectArray Outputs(JNIEnv* env, jclass self, jlong plan, jint signature) {
  (void)self;
  return Infos(env, PointerOf(plan), signature, linnet_plan_num_outputs(PointerOf(plan), signature),
               linnet_plan_output_info);
}

static jstring Version(JNIEnv* env, jclass self) {
  (void)self;
  return NewText(env, linnet_version());
}

static jstring CpuKernels(JNIEnv* env, jclass self) {
  (void)self;
  return NewText(env, linnet_cpu_kernels());
}

const JNINativeMethod kPlanMethods[] = {
    {"openFile", "([B)J", (void*)OpenFile},
    {"openDescriptor", "(IJJ)J", (void*)OpenDescriptor},
    {"openMemory", "(Ljava/nio/ByteBuffer;II)J", (void*)OpenMemory},
    {"closePlan", "(J)V", (void*)ClosePlan},
    {"signatures", "(J)[Ljava/lang/String;", (void*)Signatures},
    {"inputs", "(JI)[Llinnet/android/TensorInfo;", (void*)Inputs},
    {"outputs", "(JI)[Llinnet/android/TensorInfo;", (void*)Outputs},
    {"version", "()Ljava/lang/String;", (void*)Version},
    {"cpuKernels", "()Ljava/lang/String;", (void*)CpuKernels},
};
const jint kNumPlanMethods = sizeof kPlanMethods / sizeof kPlanMethods[0];
