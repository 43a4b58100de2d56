/* SPDX-License-Identifier: Apache-2.0
 *
 * text.c: text and errors between C and Java.
 */
#include <stdlib.h>
#include <string.h>

#include "platform/android/jni/natives.h"

jstring NewText(JNIEnv* env, const char* utf8) {
  const jsize length = (jsize)strlen(utf8);
  jbyteArray bytes = (*env)->NewByteArray(env, length);
  if (bytes == NULL) return NULL;
  (*env)->SetByteArrayRegion(env, bytes, 0, length, (const jbyte*)utf8);
  jstring text = (*env)->CallStaticObjectMethod(env, java.native, java.text, bytes);
  (*env)->DeleteLocalRef(env, bytes);
  return (*env)->ExceptionCheck(env) ? NULL : text;
}

char* CopyText(JNIEnv* env, jbyteArray utf8) {
  if (utf8 == NULL) return NULL;
  const jsize length = (*env)->GetArrayLength(env, utf8);
  char* text = malloc((size_t)length + 1);
  if (text == NULL) {
    ThrowNoMemory(env);
    return NULL;
  }
  (*env)->GetByteArrayRegion(env, utf8, 0, length, (jbyte*)text);
  text[length] = '\0';
  return text;
}

void ThrowError(JNIEnv* env, const linnet_error* error) {
  jstring text = NewText(env, error->text);
  if (text == NULL) return; /* with an exception of Java's, which is out of memory */
  jobject exception = (*env)->NewObject(env, java.exception, java.new_exception, error->status,
                                        text, error->step, (jlong)error->bytes_needed);
  if (exception != NULL) (*env)->Throw(env, exception);
}

void ThrowNoMemory(JNIEnv* env) {
  const linnet_error error = {LINNET_NO_MEMORY, -1, 0, "out of memory"};
  ThrowError(env, &error);
}
