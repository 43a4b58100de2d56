/* SPDX-License-Identifier: Apache-2.0
 *
 * linnet.h: opens plans that the converter made, and runs them. C99. Programs include this header
 * only; it includes types.h.
 *
 *   linnet_plan* plan;
 *   linnet_session* session;
 *   linnet_error error;
 *   if (linnet_plan_open_file("movenet.linnet", NULL, &plan, &error) != LINNET_OK) die(error.text);
 *   if (linnet_session_create(plan, NULL, &session, &error) != LINNET_OK) die(error.text);
 *   size_t bytes = linnet_session_input_info(session, 0)->bytes;
 *   memcpy(linnet_session_input_data(session, 0), picture, bytes);
 *   if (linnet_session_run(session) != LINNET_OK) die(linnet_session_last_error(session)->text);
 *   use(linnet_session_output_data(session, 0));
 *   linnet_session_destroy(session);
 *   linnet_plan_close(plan);
 *
 * Lifetimes: a plan must outlive the weights prepared from it and its sessions; prepared weights
 * must outlive the sessions that use them. Threads: plans and prepared weights are immutable, so
 * any number of threads may use them at once. A session may be used by one thread at a time;
 * sessions of one plan may run in parallel. Errors: linnet_plan_close, linnet_weights_release and
 * linnet_session_destroy accept NULL; every other function that gets NULL for something it needs
 * returns LINNET_INVALID_ARGUMENT, 0, -1 or NULL. No function aborts, throws or prints.
 *
 * Sizes: `struct_size` says which members the caller's header has. Options that it leaves out have
 * their defaults, so with struct_size 0 all are left out, whatever the members say. A struct that a
 * function fills needs it; else nothing is written and the call fails.
 *
 * Enumerations are 32-bit integers because a newer library may return values that the header does
 * not have.
 */
#ifndef LINNET_LINNET_H_
#define LINNET_LINNET_H_

#include "linnet/types.h"

#if defined(_WIN32)
#define LINNET_API __declspec(dllexport)
#else
#define LINNET_API __attribute__((visibility("default")))
#endif

#ifdef __cplusplus
extern "C" {
#endif

#define LINNET_VERSION_MAJOR 0
#define LINNET_VERSION_MINOR 1
#define LINNET_VERSION_PATCH 0

/* The version of the library that is linked in, as "0.1.0". */
LINNET_API const char* linnet_version(void);

/* The library of CPU kernels that this build uses in addition to its own: "XNNPACK 2022-02",
 * "XNNPACK 2024-11" or "none". */
LINNET_API const char* linnet_cpu_kernels(void);

/* "LINNET_OK", ...; "LINNET_UNKNOWN" for other values. */
LINNET_API const char* linnet_status_name(linnet_status status);

/* "f32", "i64", ...; "invalid" for other values. */
LINNET_API const char* linnet_dtype_name(linnet_dtype dtype);

/* ---- Devices ------------------------------------------------------------ */

typedef int32_t linnet_device_kind; /* a newer library may know more kinds */
enum { LINNET_DEVICE_CPU = 1, LINNET_DEVICE_GPU = 2 };

/* A device of this machine that runs plans. The library makes it, and a later version may append
 * members. */
typedef struct linnet_device {
  const char* id;   /* "cpu" or "vulkan": what linnet_session_options.device takes */
  const char* name; /* the product's name, "" when unknown */
  linnet_device_kind kind;
  int32_t threads;             /* CPU: cores that this process may use; GPU: 0 */
  const char* instruction_set; /* x86: the largest set that kernels use, as "avx2"; other CPUs:
                                * "baseline"; GPU: "" */
  const char* driver;   /* GPU: its driver and that one's version, as it names them; CPU: "" */
  int32_t is_software;  /* not 0: a GPU whose driver computes on the CPU. Sessions use it only when
                         * they are asked to */
  int32_t computes_f16; /* not 0: a GPU that has arithmetic of 16-bit floats. Plans with such floats
                         * run on others too */
  int64_t memory_bytes; /* GPU: of the largest part of its memory, which it may share with the CPU;
                         * CPU: 0 */
} linnet_device;

/* At least one: the CPU is device 0. Where Vulkan has a GPU that can run plans, that is another; of
 * several GPUs there is the one that sessions use. This and linnet_get_device(1) open Vulkan, as
 * the first session for the GPU does: that runs code of the GPU's driver and can take some tenths
 * of a second. */
LINNET_API int32_t linnet_num_devices(void);
/* Valid as long as the library is loaded; NULL when `index` is out of range. */
LINNET_API const linnet_device* linnet_get_device(int32_t index);

/* ---- Plans ------------------------------------------------------------ */

typedef struct linnet_plan linnet_plan; /* a plan that was opened and verified */

/* Opens and verifies a plan. This takes time linear in the size of its structure and does not look
 * at the weights. `options` and `error` may be NULL. The allocator in `options` serves the plan,
 * its prepared weights and its sessions, but not threads, mapped files and what XNNPACK keeps for
 * the whole process. After a failure *plan is NULL. Errors: LINNET_INVALID_ARGUMENT, LINNET_IO,
 * LINNET_INVALID_PLAN, LINNET_VERSION_TOO_NEW, LINNET_UNSUPPORTED, LINNET_NO_MEMORY. */
LINNET_API linnet_status linnet_plan_open_file(const char* path, const linnet_open_options* options,
                                               linnet_plan** plan, linnet_error* error);

/* The same for a part of an open file, at any offset, for example an uncompressed file in an
 * archive: the bytes [offset, offset + bytes), or to the end of the file when `bytes` is 0. `fd`
 * must be open for reading; its position is neither used nor changed, it stays the caller's and may
 * be closed when the function returns. Negative arguments are LINNET_INVALID_ARGUMENT; pipes,
 * devices and a part that lies beyond the end of the file are LINNET_IO. An offset that is a
 * multiple of 64 avoids copies of weights. */
LINNET_API linnet_status linnet_plan_open_fd(int fd, int64_t offset, int64_t bytes,
                                             const linnet_open_options* options, linnet_plan** plan,
                                             linnet_error* error);

/* The same for a plan in memory: `bytes` bytes at `data`, which the caller owns and must not change
 * before linnet_plan_close. Any alignment will do; a multiple of 64 avoids copies of weights. */
LINNET_API linnet_status linnet_plan_open_memory(const void* data, size_t bytes,
                                                 const linnet_open_options* options,
                                                 linnet_plan** plan, linnet_error* error);

/* Supplies the bytes of a plan, for example by decrypting a file. Its functions are called by
 * linnet_plan_open_reader only. */
typedef struct linnet_reader {
  size_t struct_size; /* sizeof(linnet_reader) */
  void* context;
  int64_t (*size)(void* context); /* bytes of the whole plan, negative on failure */
  /* Copies the plan's bytes [offset, offset + bytes) to `to`. Returns 0 on success. */
  int (*read)(void* context, int64_t offset, void* to, size_t bytes);
} linnet_reader;

/* The same for a plan that `reader` supplies; it is read into memory of the plan. */
LINNET_API linnet_status linnet_plan_open_reader(const linnet_reader* reader,
                                                 const linnet_open_options* options,
                                                 linnet_plan** plan, linnet_error* error);

/* All sessions and prepared weights of the plan must be gone. */
LINNET_API void linnet_plan_close(linnet_plan* plan);

/* The bytes that linnet_open_options.block must have, at a multiple of 64, to open this plan in the
 * same way and with the same flags on this machine. 0 when the plan is NULL. */
LINNET_API int64_t linnet_plan_bytes(const linnet_plan* plan);

/* Number of signatures: entry points of the model, which share the plan's weights. At least one. */
LINNET_API int32_t linnet_plan_num_signatures(const linnet_plan* plan);
/* Name of signature `index`, "" for a graph without signatures; NULL when out of range. */
LINNET_API const char* linnet_plan_signature(const linnet_plan* plan, int32_t index);

/* Number of inputs and outputs of a signature; 0 when there is no such signature. Needs no session
 * and prepares no weights. */
LINNET_API int32_t linnet_plan_num_inputs(const linnet_plan* plan, int32_t signature);
LINNET_API int32_t linnet_plan_num_outputs(const linnet_plan* plan, int32_t signature);
/* Owned by the plan; NULL when `signature` or `index` is out of range. */
LINNET_API const linnet_tensor_info* linnet_plan_input_info(const linnet_plan* plan,
                                                            int32_t signature, int32_t index);
LINNET_API const linnet_tensor_info* linnet_plan_output_info(const linnet_plan* plan,
                                                             int32_t signature, int32_t index);

/* Sizes of the plan's parts, and how well its memory planner did. */
typedef struct linnet_plan_stats {
  size_t struct_size;     /* sizeof(linnet_plan_stats) */
  int64_t plan_bytes;     /* the whole file */
  int64_t weights_bytes;  /* the weights in it */
  int32_t steps;          /* of signature 0, as are the following */
  int64_t arena_bytes;    /* memory for activations, inputs and outputs */
  int64_t lower_bound;    /* no arrangement of the tensors can need less with this order of steps */
  int64_t naive;          /* what one buffer per tensor would need */
  int64_t imported_bound; /* what lower_bound would be if the steps ran in the model's own order */
} linnet_plan_stats;
/* LINNET_INVALID_ARGUMENT when stats->struct_size is not set. */
LINNET_API linnet_status linnet_plan_get_stats(const linnet_plan* plan, linnet_plan_stats* stats);

/* ---- Sessions ------------------------------------------------------------ */

typedef struct linnet_session linnet_session; /* a plan ready to run, with its memory and threads */

/* Trust: drivers of GPUs crash, and compute wrong results without saying so. Before a session uses
 * the GPU, it runs the plan there and on the CPU on the same noise and compares. This costs a few
 * runs and, for that time, the memory of the CPU's program. Where the GPU fails, also in a slower
 * and more exact way to compute if it has one, the CPU runs the plan. The result holds for all
 * sessions of the plan in the process.
 *
 * Later processes need not test and compile again if the application stores what Linnet learned,
 * one file per plan and signature: read the file, if there is one, and give it as `cache`; and let
 * `store_cache` write `data` to a temporary file beside it and then rename that, so that the file
 * is never incomplete. `store_cache` is called by linnet_session_create (and linnet_session_bytes)
 * on its thread: for the plan's first session, before the driver compiles anything, with a mark
 * that an attempt is being made, and at the end with the result. It is called once more by a run
 * that loses the GPU, on the thread of the run. It must not call Linnet. A process that finds the
 * mark of an attempt without an end uses the CPU, because the driver may have crashed; to try once
 * more, delete the file. Without the callback, linnet_session_cache gives the same bytes, but no
 * crash is noticed. */

/* Packs the weights of a signature on the calling thread, for sessions to share: pass the result as
 * options.weights. Uses only these members of `options`, which may be NULL: signature, backend,
 * block (memory for the packed weights; NULL: the plan's allocator), block_bytes, max_bytes,
 * device, kernels and, for a look at what that was measured with, threads. Errors:
 * LINNET_INVALID_ARGUMENT (no such signature, `kernels` is damaged), LINNET_UNSUPPORTED,
 * LINNET_NO_MEMORY. */
LINNET_API linnet_status linnet_weights_prepare(linnet_plan* plan,
                                                const linnet_session_options* options,
                                                linnet_weights** weights, linnet_error* error);
/* All sessions that use the weights must be gone. */
LINNET_API void linnet_weights_release(linnet_weights* weights);

/* The memory that a session with these options needs on this machine. Creates such a session and
 * destroys it again, so it takes as long and fails with the same errors. */
LINNET_API linnet_status linnet_session_bytes(linnet_plan* plan,
                                              const linnet_session_options* options,
                                              linnet_memory* memory, linnet_error* error);

/* Creates a session and allocates everything that its runs will need. `options` and `error` may be
 * NULL. After a failure *session is NULL. Errors: LINNET_INVALID_ARGUMENT (no such signature,
 * `weights` of another plan, `kernels` is damaged), LINNET_UNSUPPORTED, LINNET_NO_MEMORY. */
LINNET_API linnet_status linnet_session_create(linnet_plan* plan,
                                               const linnet_session_options* options,
                                               linnet_session** session, linnet_error* error);
/* What the session has learned about the GPU, for linnet_session_options.cache of the next process,
 * also after the GPU was lost. Writes it to `buffer` if that has at least as many bytes as it
 * needs, and returns how many these are; `buffer` may be NULL to ask. 0: there is nothing to keep,
 * so leave what is stored as it is. -1: the session is NULL, or a submitted run has not been waited
 * for. */
LINNET_API int64_t linnet_session_cache(const linnet_session* session, void* buffer,
                                        size_t capacity);
/* LINNET_INVALID_ARGUMENT when info->struct_size is not set. */
LINNET_API linnet_status linnet_session_backend(const linnet_session* session,
                                                linnet_backend_info* info);
/* Cancels a submitted run and waits for its end first. */
LINNET_API void linnet_session_destroy(linnet_session* session);

/* Those of the session's signature. */
LINNET_API int32_t linnet_session_num_inputs(const linnet_session* session);
LINNET_API int32_t linnet_session_num_outputs(const linnet_session* session);
/* Owned by the plan; NULL when out of range. */
LINNET_API const linnet_tensor_info* linnet_session_input_info(const linnet_session* session,
                                                               int32_t index);
LINNET_API const linnet_tensor_info* linnet_session_output_info(const linnet_session* session,
                                                                int32_t index);
/* Index of the input (output) whose name or source is `name` ("x", "x:0", "node:1"); -1 when there
 * is none. */
LINNET_API int32_t linnet_session_find_input(const linnet_session* session, const char* name);
LINNET_API int32_t linnet_session_find_output(const linnet_session* session, const char* name);

/* Sets the shape that an input with varying dimensions has from the next run on; before the first
 * call it is the largest. Write the data afterwards, because it must be dense in the new shape; its
 * address stays the same. Other inputs whose dimensions must be equal to these change too.
 * LINNET_INVALID_ARGUMENT, and nothing changes, when a dimension is out of its bounds or differs
 * from a fixed one. Allocates nothing. */
LINNET_API linnet_status linnet_session_set_input_shape(linnet_session* session, int32_t index,
                                                        const int64_t* dims, int32_t rank);
/* Writes the shape that an input has in the next run (an output had in the last run) to `dims` and
 * returns the rank; -1 when `index` is out of range. */
LINNET_API int32_t linnet_session_input_shape(const linnet_session* session, int32_t index,
                                              int64_t dims[LINNET_MAX_RANK]);
LINNET_API int32_t linnet_session_output_shape(const linnet_session* session, int32_t index,
                                               int64_t dims[LINNET_MAX_RANK]);

/* Memory of an input, 64-byte aligned unless the caller has bound its own. Write the whole input
 * before every run, because a run may overwrite it unless its info has LINNET_TENSOR_KEPT. NULL
 * when `index` is out of range. */
LINNET_API void* linnet_session_input_data(linnet_session* session, int32_t index);
/* Memory of an output, valid from the end of a successful run until the next run begins. NULL when
 * `index` is out of range. */
LINNET_API const void* linnet_session_output_data(const linnet_session* session, int32_t index);

/* Makes every following run read the input from (write the output to) the caller's memory, which
 * must stay valid until it is unbound; NULL returns to the session's own memory. A run works in
 * this memory without a copy when the plan allows it, the memory is 64-byte aligned, and `bytes` is
 * at least 16 more than the tensor's (kernels may read these bytes, but do not write them). What a
 * GPU reads or writes is copied.
 * LINNET_INVALID_ARGUMENT when `bytes` is less than the tensor's, or the output is a constant. */
LINNET_API linnet_status linnet_session_bind_input(linnet_session* session, int32_t index,
                                                   const void* data, size_t bytes);
LINNET_API linnet_status linnet_session_bind_output(linnet_session* session, int32_t index,
                                                    void* data, size_t bytes);
/* The same for any kind of buffer. Rows with gaps between them are always copied.
 * LINNET_UNSUPPORTED for a kind or format that this library does not know. While a buffer is bound,
 * linnet_session_input_data (linnet_session_output_data) returns its address. */
LINNET_API linnet_status linnet_session_bind_input_buffer(linnet_session* session, int32_t index,
                                                          const linnet_buffer* buffer);
LINNET_API linnet_status linnet_session_bind_output_buffer(linnet_session* session, int32_t index,
                                                           const linnet_buffer* buffer);

/* Runs the plan once and returns when all outputs can be read. Allocates nothing, with one
 * exception: a run in which the GPU stops working prepares the CPU's program, outside the session's
 * block, finishes with it, and later runs use the CPU (linnet_session_backend). Addresses of inputs
 * and outputs stay the same. LINNET_DEVICE_LOST: there was no memory for that; the next run tries
 * again. Variables that the model assigns (its state from run to run) belong to the session and
 * change only when a run succeeds. After LINNET_BAD_INDEX, LINNET_CANCELLED and LINNET_DEVICE_LOST
 * the outputs are undefined; the session can still be used. LINNET_INVALID_ARGUMENT while a
 * submitted run has not been waited for. */
LINNET_API linnet_status linnet_session_run(linnet_session* session);

/* Starts a run on a thread of the session and returns at once; linnet_session_wait returns its
 * result. The first call starts the thread (LINNET_NO_MEMORY when the system starts none); later
 * calls allocate nothing. Until a wait has returned something other than LINNET_TIMEOUT, the
 * session's inputs and outputs belong to the run. Until then only linnet_session_wait, _cancel,
 * _last_error, _destroy and the functions that return counts, infos, sizes and step infos may be
 * called; others return LINNET_INVALID_ARGUMENT, -1 or NULL, or do nothing. */
LINNET_API linnet_status linnet_session_submit(linnet_session* session);
/* Waits for the submitted run, at most `timeout_ns` nanoseconds (0: returns at once; negative: no
 * limit), and returns what linnet_session_run would have returned. LINNET_TIMEOUT: it is still
 * running. LINNET_INVALID_ARGUMENT: no run was submitted. LINNET_CANCELLED in a child process after
 * fork, where the thread does not exist. linnet_session_cancel makes the run end early. */
LINNET_API linnet_status linnet_session_wait(linnet_session* session, int64_t timeout_ns);

/* Gives the model's variables the values that they have in a new session, for example when the next
 * stream begins. Not during a run. */
LINNET_API void linnet_session_reset(linnet_session* session);
/* Makes the run in progress return LINNET_CANCELLED: before its next step or the next iteration of
 * a loop, and within milliseconds inside a step on the portable backend. Other devices than the CPU
 * first finish the steps that they have begun together. When no run is in
 * progress, the next run is cancelled. May be called from any thread. Applications that run
 * untrusted plans need this, because such a plan may contain an endless loop. */
LINNET_API void linnet_session_cancel(linnet_session* session);
/* The result of the last call of linnet_session_run, _submit, _wait, _set_input_shape, _bind_input,
 * _bind_input_buffer, _bind_output or _bind_output_buffer on this session, whether it failed or
 * not. Valid until the next of these calls. Never NULL. */
LINNET_API const linnet_error* linnet_session_last_error(const linnet_session* session);

/* LINNET_INVALID_ARGUMENT when memory->struct_size is not set. */
LINNET_API linnet_status linnet_session_memory(const linnet_session* session,
                                               linnet_memory* memory);

/* Of the program that the session runs, with the steps inside loops and branches. */
LINNET_API int32_t linnet_session_num_steps(const linnet_session* session);
/* Returns 1, or 0 (false) when `index` is out of range or info->struct_size is not set. */
LINNET_API int linnet_session_get_step_info(const linnet_session* session, int32_t index,
                                            linnet_step_info* info);
/* Turns the measurement of steps on or off (the default); it costs two clock reads per step. */
LINNET_API void linnet_session_enable_profile(linnet_session* session, int on);
/* Nanoseconds that each step took in the last run: linnet_session_num_steps values, or NULL while
 * profiling is off. A step that ran several times has the sum; While and If do not include the
 * steps inside them. Of steps that a device other than the CPU runs together, each has the time
 * that the device measured, and the first includes the rest: copies, and the wait for the device.
 * Where the device computes several of them as one, the first has their time and the others 0. */
LINNET_API const int64_t* linnet_session_step_ns(const linnet_session* session);
/* Writes what a step computes as one line of text (op, types, a hash of its attributes), by which
 * linnet_session_options.kernels names it, if `buffer` has more bytes than that has characters, and
 * returns how many these are; `buffer` may be NULL to ask. 0: there is no choice of kernels,
 * because only one backend of this build can run the step. -1: `index` is out of range. */
LINNET_API int32_t linnet_session_step_kind(const linnet_session* session, int32_t index,
                                            char* buffer, size_t capacity);
/* LINNET_INVALID_ARGUMENT when times->struct_size is not set, and between linnet_session_submit and
 * linnet_session_wait. */
LINNET_API linnet_status linnet_session_device_times(const linnet_session* session,
                                                     linnet_device_times* times);

#ifdef __cplusplus
} /* extern "C" */
#endif

#ifndef LINNET_NO_DEPRECATED
#include "linnet/deprecated.h"
#endif

#endif /* LINNET_LINNET_H_ */
