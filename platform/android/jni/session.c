/* SPDX-License-Identifier: Apache-2.0
 *
 * session.c: sessions and their runs.
 */
#include <stdlib.h>

#include "platform/android/jni/natives.h"

static linnet_status Create(Session* created, linnet_plan* plan, linnet_session_options* options,
                            linnet_error* error) {
  size_t bytes = 0;
  void* cache = NULL;
  if (created->cache_file != NULL) {
    cache = ReadCache(created->cache_file, &bytes);
    options->cache = cache;
    options->cache_bytes = bytes;
    options->store_cache = StoreCache;
    options->store_context = created->cache_file;
  }
  const linnet_status status = linnet_session_create(plan, options, &created->session, error);
  free(cache);
  return status;
}

static void Free(Session* session) {
  linnet_session_destroy(session->session);
  free(session->cache_file);
  free(session);
}

static jlong CreateSession(JNIEnv* env, jclass self, jlong plan, jbyteArray signature, jint backend,
                           jint threads, jlong max_bytes, jbyteArray cache_file,
                           jbyteArray kernels) {
  (void)self;
  Session* created = calloc(1, sizeof(Session));
  if (created == NULL) {
    ThrowNoMemory(env);
    return 0;
  }
  char* name = CopyText(env, signature);
  char* profile = NULL; /* with a zero byte behind it, which is not counted */
  if (!(*env)->ExceptionCheck(env)) created->cache_file = CopyText(env, cache_file);
  if (!(*env)->ExceptionCheck(env)) profile = CopyText(env, kernels);
  if ((*env)->ExceptionCheck(env)) {
    free(name);
    free(profile);
    Free(created);
    return 0;
  }
  linnet_session_options options = {.struct_size = sizeof options,
                                    .signature = name,
                                    .backend = backend,
                                    .threads = threads,
                                    .max_bytes = (size_t)max_bytes,
                                    .kernels = profile};
  if (profile != NULL) options.kernels_bytes = (size_t)(*env)->GetArrayLength(env, kernels);
  linnet_error error;
  const linnet_status status = Create(created, PointerOf(plan), &options, &error);
  free(name);
  free(profile);
  if (status == LINNET_OK) return HandleOf(created);
  Free(created);
  ThrowError(env, &error);
  return 0;
}

static void DestroySession(JNIEnv* env, jclass self, jlong handle) {
  (void)env, (void)self;
  Free(PointerOf(handle));
}

static void Run(JNIEnv* env, jclass self, jlong handle) {
  (void)self;
  if (linnet_session_run(SessionOf(handle)) != LINNET_OK)
    ThrowError(env, linnet_session_last_error(SessionOf(handle)));
}

static void Cancel(JNIEnv* env, jclass self, jlong handle) {
  (void)env, (void)self;
  linnet_session_cancel(SessionOf(handle));
}

static void Reset(JNIEnv* env, jclass self, jlong handle) {
  (void)env, (void)self;
  linnet_session_reset(SessionOf(handle));
}

static jint Backend(JNIEnv* env, jclass self, jlong handle) {
  (void)env, (void)self;
  linnet_backend_info info = {.struct_size = sizeof info};
  linnet_session_backend(SessionOf(handle), &info);
  return info.backend;
}

static jstring WhyNotGpu(JNIEnv* env, jclass self, jlong handle) {
  (void)self;
  linnet_backend_info info = {.struct_size = sizeof info};
  linnet_session_backend(SessionOf(handle), &info);
  return info.why_not_gpu == NULL ? NULL : NewText(env, info.why_not_gpu);
}

const JNINativeMethod kSessionMethods[] = {
    {"createSession", "(J[BIIJ[B[B)J", (void*)CreateSession},
    {"destroySession", "(J)V", (void*)DestroySession},
    {"run", "(J)V", (void*)Run},
    {"cancel", "(J)V", (void*)Cancel},
    {"reset", "(J)V", (void*)Reset},
    {"backend", "(J)I", (void*)Backend},
    {"whyNotGpu", "(J)Ljava/lang/String;", (void*)WhyNotGpu},
};
const jint kNumSessionMethods = sizeof kSessionMethods / sizeof kSessionMethods[0];
