/* SPDX-License-Identifier: Apache-2.0
 *
 * library.c: what happens when Java loads the library.
 */
#include <stddef.h>

#include "platform/android/jni/natives.h"

JavaNames java;

static jclass GlobalClass(JNIEnv* env, const char* name) {
  jclass local = (*env)->FindClass(env, name);
  if (local == NULL) return NULL;
  jclass global = (*env)->NewGlobalRef(env, local);
  (*env)->DeleteLocalRef(env, local);
  return global;
}

static int FindNames(JNIEnv* env) {
  java.exception = GlobalClass(env, "linnet/android/LinnetException");
  if (java.exception == NULL) return 0;
  java.new_exception =
      (*env)->GetMethodID(env, java.exception, "<init>", "(ILjava/lang/String;IJ)V");
  if (java.new_exception == NULL) return 0;
  java.tensor_info = GlobalClass(env, "linnet/android/TensorInfo");
  if (java.tensor_info == NULL) return 0;
  java.new_tensor_info = (*env)->GetMethodID(env, java.tensor_info, "<init>",
                                             "(Ljava/lang/String;Ljava/lang/String;I[JJIZ)V");
  if (java.new_tensor_info == NULL) return 0;
  java.string = GlobalClass(env, "java/lang/String");
  if (java.string == NULL) return 0;
  java.native = GlobalClass(env, "linnet/android/Native");
  if (java.native == NULL) return 0;
  java.text = (*env)->GetStaticMethodID(env, java.native, "text", "([B)Ljava/lang/String;");
  return java.text != NULL;
}

static int RegisterAll(JNIEnv* env) {
  return (*env)->RegisterNatives(env, java.native, kPlanMethods, kNumPlanMethods) == JNI_OK &&
         (*env)->RegisterNatives(env, java.native, kSessionMethods, kNumSessionMethods) == JNI_OK &&
         (*env)->RegisterNatives(env, java.native, kTensorMethods, kNumTensorMethods) == JNI_OK;
}

/* On failure an exception is pending, which System.loadLibrary throws. */
JNIEXPORT jint JNI_OnLoad(JavaVM* machine, void* reserved) {
  (void)reserved;
  JNIEnv* env;
  if ((*machine)->GetEnv(machine, (void**)&env, JNI_VERSION_1_6) != JNI_OK) return JNI_ERR;
  return FindNames(env) && RegisterAll(env) ? JNI_VERSION_1_6 : JNI_ERR;
}
