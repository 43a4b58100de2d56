// SPDX-License-Identifier: Apache-2.0
#pragma once

// LINNET_ADDRESS_SANITIZER, LINNET_THREAD_SANITIZER: 1 in builds with that sanitizer, else 0. GCC
// and Clang say it in different ways.
#if defined(__has_feature)
#define LINNET_ADDRESS_SANITIZER __has_feature(address_sanitizer)
#define LINNET_THREAD_SANITIZER __has_feature(thread_sanitizer)
#else
#ifdef __SANITIZE_ADDRESS__
#define LINNET_ADDRESS_SANITIZER 1
#else
#define LINNET_ADDRESS_SANITIZER 0
#endif
#ifdef __SANITIZE_THREAD__
#define LINNET_THREAD_SANITIZER 1
#else
#define LINNET_THREAD_SANITIZER 0
#endif
#endif
