/* SPDX-License-Identifier: Apache-2.0
 *
 * natives.h: what the files of this folder share. C99 and the public API only: no C++ library, no
 * exceptions. The functions that Java calls are those of the class linnet.android.Native, which
 * declares them; they trust what that class's callers in the package have checked: handles of
 * objects that are still open, indices in range, and counts of elements that fit.
 */
#ifndef LINNET_PLATFORM_ANDROID_JNI_NATIVES_H_
#define LINNET_PLATFORM_ANDROID_JNI_NATIVES_H_

#include <jni.h>

#include "linnet/linnet.h"

/* Classes and methods of Java, found when the library is loaded. */
typedef struct {
  jclass exception; /* linnet.android.LinnetException */
  jmethodID new_exception;
  jclass tensor_info; /* linnet.android.TensorInfo */
  jmethodID new_tensor_info;
  jclass string;
  jclass native; /* linnet.android.Native */
  jmethodID text;
} JavaNames;
extern JavaNames java;

/* A handle of linnet.android.Session. */
typedef struct {
  linnet_session* session;
  char* cache_file; /* where store_cache writes; NULL: nowhere */
} Session;

/* A Java string of UTF-8, which need not be valid; NULL with an exception pending when there is no
 * memory. JNI's own function wants another encoding, and Android ends programs that give it
 * anything else. */
jstring NewText(JNIEnv* env, const char* utf8);
/* The UTF-8 in a Java array that ends with a zero byte, for free(). NULL when the array is NULL, or
 * with an exception pending. */
char* CopyText(JNIEnv* env, jbyteArray utf8);
void ThrowError(JNIEnv* env, const linnet_error* error);
void ThrowNoMemory(JNIEnv* env);

/* Reads the file for linnet_session_options.cache; NULL when there is none, or no memory. */
void* ReadCache(const char* path, size_t* bytes);
/* A linnet_session_options.store_cache; `context` is the path. */
void StoreCache(void* context, const void* data, size_t bytes);

extern const JNINativeMethod kPlanMethods[], kSessionMethods[], kTensorMethods[];
extern const jint kNumPlanMethods, kNumSessionMethods, kNumTensorMethods;

/* NOLINTNEXTLINE(performance-no-int-to-ptr): Java has no other type for a pointer. */
static inline void* PointerOf(jlong handle) { return (void*)(intptr_t)handle; }
static inline jlong HandleOf(void* pointer) { return (jlong)(intptr_t)pointer; }
static inline linnet_session* SessionOf(jlong handle) {
  return ((Session*)PointerOf(handle))->session;
}

#endif /* LINNET_PLATFORM_ANDROID_JNI_NATIVES_H_ */
