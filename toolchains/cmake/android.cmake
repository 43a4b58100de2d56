# SPDX-License-Identifier: Apache-2.0
# Toolchain file for Android: the NDK's own, with what Linnet wants of it. The environment variable ANDROID_NDK_HOME says where the NDK is;
# -DANDROID_ABI chooses arm64-v8a (the default), armeabi-v7a, x86 or x86_64.
set(LINNET_ANDROID_NDK "$ENV{ANDROID_NDK_HOME}" CACHE PATH "Where Android's NDK is")
set(_ndk "${LINNET_ANDROID_NDK}")
if(NOT EXISTS "${_ndk}/build/cmake/android.toolchain.cmake")
  message(FATAL_ERROR "ANDROID_NDK_HOME is '${_ndk}': set it to the folder of Android's NDK, which has build/cmake/android.toolchain.cmake")
endif()
if(NOT ANDROID_ABI)
  set(ANDROID_ABI arm64-v8a)
endif()
set(ANDROID_PLATFORM android-21)
set(ANDROID_STL c++_static)                  # no app has to bring libc++_shared.so
set(ANDROID_SUPPORT_FLEXIBLE_PAGE_SIZES ON)  # pages of 16 KB; platform/android/CMakeLists.txt asks older NDKs for them
include(${_ndk}/build/cmake/android.toolchain.cmake)

include(${CMAKE_CURRENT_LIST_DIR}/host_flatbuffers.cmake)

# bionic has threads in libc.so, so no option is needed. CMake would find that out with pthread_cancel, which bionic lacks, and add -pthread
# to some libraries only, which then could not share precompiled headers.
set(CMAKE_HAVE_LIBC_PTHREAD TRUE CACHE INTERNAL "Threads need no option")
