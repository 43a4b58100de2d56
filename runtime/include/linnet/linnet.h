/* SPDX-License-Identifier: Apache-2.0
 *
 * linnet.h: opens a plan made by the converter and runs it. C99, no other header of ours needed.
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
 * Life: a plan (checked structure, view of the weights) outlives its prepared weights and sessions;
 * prepared weights outlive the sessions that use them. Plans and prepared weights are immutable:
 * any number of threads may use them. A session belongs to one thread at a time; sessions of one
 * plan run in parallel. Functions that destroy accept NULL; the others answer NULL where they need
 * more with LINNET_INVALID_ARGUMENT, 0, -1 or NULL. Nothing here aborts, throws or prints.
 *
 * Enumerations are 32-bit integers: a library may know more values than the header that a program
 * was built with.
 */
#ifndef LINNET_LINNET_H_
#define LINNET_LINNET_H_

#include <stddef.h>
#include <stdint.h>

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

/* "0.1.0" of the library that is linked in. */
LINNET_API const char* linnet_version(void);

/* The library of CPU kernels that this build uses beside its own: "XNNPACK 2022-02", "XNNPACK
 * 2024-11" or "none". */
LINNET_API const char* linnet_cpu_kernels(void);

typedef int32_t linnet_status;
enum {
  LINNET_OK = 0,
  LINNET_INVALID_ARGUMENT = 1, /* a call got something impossible */
  LINNET_INVALID_PLAN = 2,     /* the plan is damaged or means nothing */
  LINNET_UNSUPPORTED = 3,      /* this build or this machine cannot run the plan */
  LINNET_VERSION_TOO_NEW = 4,  /* the plan was written by a newer major version */
  LINNET_NO_MEMORY = 5,        /* a block is too small (see bytes_needed) or there is no memory */
  LINNET_IO = 6,               /* a file or the read hook failed */
  LINNET_BAD_INDEX =
      7, /* run: an index or extent computed from data is out of range, or a division by 0 */
  LINNET_CANCELLED = 8,   /* run: linnet_session_cancel was called */
  LINNET_DEVICE_LOST = 9, /* run: the GPU went away; create the session again */
  LINNET_INTERNAL = 10,   /* a bug of ours */
  LINNET_TIMEOUT = 11     /* wait: the time is over and the run still goes on */
};

/* "LINNET_OK", ...; "LINNET_UNKNOWN" for other values. */
LINNET_API const char* linnet_status_name(linnet_status status);

/* What a failing call explains, in memory of the caller. */
typedef struct linnet_error {
  linnet_status status;
  int32_t step;         /* index of the plan's step it is about, -1 if none */
  int64_t bytes_needed; /* LINNET_NO_MEMORY of a given block: the size that suffices, else 0 */
  char text[256];       /* one sentence; names the TensorFlow node and what was wanted and got */
} linnet_error;

typedef int32_t linnet_dtype;
enum {
  LINNET_FLOAT32 = 1,
  LINNET_FLOAT16 = 2,
  LINNET_INT32 = 3,
  LINNET_INT64 = 4,
  LINNET_UINT8 = 5,
  LINNET_INT8 = 6,
  LINNET_BOOL = 7, /* one byte, 0 or 1 */
  LINNET_INT16 = 8,
  LINNET_UINT16 = 9,
  LINNET_FLOAT64 = 10
};

/* "f32", "i64", ...; "invalid" for other values. */
LINNET_API const char* linnet_dtype_name(linnet_dtype dtype);

#define LINNET_MAX_RANK 8

/* One input or output. Data is dense and row-major; pictures are NHWC. */
typedef struct linnet_tensor_info {
  const char* name;   /* signature key where the model has signatures, else the node's name */
  const char* source; /* node:slot of the TensorFlow graph */
  linnet_dtype dtype;
  int32_t rank;
  int64_t dims[LINNET_MAX_RANK]; /* elements, outermost first; the largest where they vary */
  int64_t bytes;                 /* of the largest */
  uint32_t varies; /* bit d: dims[d] may be less in a run, see linnet_session_input_shape,
                      linnet_session_output_shape */
} linnet_tensor_info;

/* ---- Memory -----------------------------------------------------------------------------------
 */

/* Where Linnet takes memory from that no block serves: for the program's own allocator, for
 * counting or for limits. `context` is handed to both functions. They may be called by any thread
 * that calls Linnet, by several at once, but never during linnet_session_run. They must not call
 * Linnet. */
typedef struct linnet_allocator {
  size_t struct_size; /* sizeof(linnet_allocator) */
  void* context;
  /* `bytes` > 0 at a multiple of `alignment`, a power of two up to 64; NULL when there are none. */
  void* (*allocate)(void* context, size_t bytes, size_t alignment);
  /* Takes back what allocate gave; `bytes` as they were asked for. Never NULL. */
  void (*release)(void* context, void* memory, size_t bytes);
} linnet_allocator;

/* What a buffer is. Others come with the platforms that have them. */
typedef int32_t linnet_buffer_kind;
enum { LINNET_BUFFER_POINTER = 1 /* memory that the CPU reads and writes at `address` */ };

/* How elements lie in a buffer. */
typedef int32_t linnet_buffer_format;
enum { LINNET_FORMAT_TENSOR = 0 /* elements of the tensor's dtype, row-major */ };

/* Memory of the caller that an input is read from or an output is written to. */
typedef struct linnet_buffer {
  size_t struct_size; /* sizeof(linnet_buffer) */
  linnet_buffer_kind kind;
  linnet_buffer_format format;
  void* address; /* never written through by an input */
  size_t bytes;  /* that may be read (input) or written (output) at `address` */
  size_t pitch; /* bytes from one row to the next; 0: rows lie one behind another. A row is the last
                 * two dimensions (a picture's: width and channels) where there are three or more,
                 * else the last dimension. What lies between rows is left alone */
} linnet_buffer;

/* ---- Devices ----------------------------------------------------------------------------------
 */

typedef int32_t linnet_device_kind;
enum { LINNET_DEVICE_CPU = 1 };

/* What runs plans on this machine: today its CPU. */
typedef struct linnet_device {
  const char* id;   /* "cpu": what linnet_session_options.device takes */
  const char* name; /* of the product, "" where the system does not say */
  linnet_device_kind kind;
  int32_t threads;             /* cores that this process may use */
  const char* instruction_set; /* the largest that kernels use on x86: "avx2"; else "baseline" */
} linnet_device;

/* At least one. */
LINNET_API int32_t linnet_num_devices(void);
/* Owned by the library, for good; NULL when out of range. */
LINNET_API const linnet_device* linnet_get_device(int32_t index);

/* ---- Plans ------------------------------------------------------------------------------------
 */

typedef struct linnet_plan linnet_plan;

enum { /* linnet_open_options.flags */
       /* Read the file into memory instead of mapping it. A mapped file must not be truncated while
          open. */
       LINNET_OPEN_COPY = 1
};

typedef struct linnet_open_options {
  size_t struct_size;                /* sizeof(linnet_open_options) */
  uint32_t flags;                    /* LINNET_OPEN_... */
  const linnet_allocator* allocator; /* NULL: malloc. Copied; its functions are called until the
                                      * plan is closed */
} linnet_open_options;

/* Opens and verifies a plan; time is linear in its structure, the weights are not read. `options`
 * and `error` may be NULL. The allocator in `options` serves the plan, its prepared weights and its
 * sessions; not threads, mapped files and what XNNPACK keeps for the process. LINNET_IO,
 * LINNET_INVALID_PLAN, LINNET_VERSION_TOO_NEW, LINNET_UNSUPPORTED, LINNET_NO_MEMORY. */
LINNET_API linnet_status linnet_plan_open_file(const char* path, const linnet_open_options* options,
                                               linnet_plan** plan, linnet_error* error);

/* The same over `bytes` at `data` (any alignment; 64 is best), which stay the caller's and must
 * stay unchanged until linnet_plan_close. */
LINNET_API linnet_status linnet_plan_open_memory(const void* data, size_t bytes,
                                                 const linnet_open_options* options,
                                                 linnet_plan** plan, linnet_error* error);

/* Supplies the bytes of a plan, e.g. decrypting them. Only called during linnet_plan_open_reader.
 */
typedef struct linnet_reader {
  size_t struct_size; /* sizeof(linnet_reader) */
  void* context;
  int64_t (*size)(void* context); /* bytes of the whole plan, negative on failure */
  /* Fills `to` with [offset, offset + bytes); 0 on success. */
  int (*read)(void* context, int64_t offset, void* to, size_t bytes);
} linnet_reader;

LINNET_API linnet_status linnet_plan_open_reader(const linnet_reader* reader,
                                                 const linnet_open_options* options,
                                                 linnet_plan** plan, linnet_error* error);

/* After all its sessions and prepared weights are gone. */
LINNET_API void linnet_plan_close(linnet_plan* plan);

/* Signatures: entry points that share the plan's weights. At least one. */
LINNET_API int32_t linnet_plan_num_signatures(const linnet_plan* plan);
/* Key of signature `index`, "" for a plain graph; NULL when out of range. */
LINNET_API const char* linnet_plan_signature(const linnet_plan* plan, int32_t index);

/* Inputs and outputs of signature `signature`, from the plan alone: no session is needed and no
 * weights are packed. 0 when there is no such signature. */
LINNET_API int32_t linnet_plan_num_inputs(const linnet_plan* plan, int32_t signature);
LINNET_API int32_t linnet_plan_num_outputs(const linnet_plan* plan, int32_t signature);
/* Owned by the plan; NULL when out of range. */
LINNET_API const linnet_tensor_info* linnet_plan_input_info(const linnet_plan* plan,
                                                            int32_t signature, int32_t index);
LINNET_API const linnet_tensor_info* linnet_plan_output_info(const linnet_plan* plan,
                                                             int32_t signature, int32_t index);

/* Sizes of the plan's parts and what its memory planner achieved. */
typedef struct linnet_plan_stats {
  size_t struct_size;
  int64_t plan_bytes;     /* the file */
  int64_t weights_bytes;  /* of which weights */
  int32_t steps;          /* of signature 0 */
  int64_t arena_bytes;    /* of signature 0: activations, inputs and outputs */
  int64_t lower_bound;    /* no placement of this schedule can need less */
  int64_t naive;          /* one buffer per tensor */
  int64_t imported_bound; /* lower bound of the order in which the graph was imported */
} linnet_plan_stats;
LINNET_API linnet_status linnet_plan_get_stats(const linnet_plan* plan, linnet_plan_stats* stats);

/* ---- Sessions ---------------------------------------------------------------------------------
 */

typedef int32_t linnet_backend;
enum {
  LINNET_BACKEND_AUTO = 0,     /* the fastest that this build and machine have */
  LINNET_BACKEND_CPU = 1,      /* XNNPACK where it can, portable kernels elsewhere */
  LINNET_BACKEND_PORTABLE = 2, /* portable kernels only */
  LINNET_BACKEND_VULKAN = 3 /* GPU segments of the plan; LINNET_UNSUPPORTED when there are none */
};

typedef struct linnet_weights linnet_weights;
typedef struct linnet_session linnet_session;
struct pthreadpool; /* <pthreadpool.h>: pthreadpool_t is a pointer to it */

typedef int32_t linnet_log_level;
enum { LINNET_LOG_INFO = 0, LINNET_LOG_WARNING = 1 };

typedef struct linnet_session_options {
  size_t struct_size;     /* sizeof(linnet_session_options) */
  const char* signature;  /* key; NULL = the first */
  linnet_backend backend; /* ignored when `weights` is given */
  int32_t threads; /* 0 or 1: the calling thread alone. Fewer where the system gives fewer; then
                    * `log` hears of it. In a child of fork, the calling thread alone */
  struct pthreadpool*
      pool;                /* lent threads instead; may serve several sessions, one job at a time.
                            * LINNET_UNSUPPORTED in builds without XNNPACK, which brings pthreadpool */
  linnet_weights* weights; /* NULL: shared with the plan's other sessions of the same backend */
  void* block;             /* all memory of the session; NULL = the plan's allocator */
  size_t block_bytes; /* see linnet_session_bytes; a too small block is refused with bytes_needed */
  void (*log)(void* context, linnet_log_level level, const char* text); /* may be NULL */
  void* log_context;
  size_t max_bytes;   /* 0: no limit. What the session and the weights prepared for it may each take
                       * from malloc, and what is decoded while they are prepared (a plan from a
                       * stranger may describe tensors of any size); beyond: LINNET_NO_MEMORY */
  const char* device; /* id of a linnet_device; NULL: the CPU. LINNET_UNSUPPORTED when this machine
                       * has none of that id. Ignored when `weights` is given */
} linnet_session_options;

/* Bytes of a session by use. `block` is what a caller must give as block_bytes: arena, state,
 * operators and workspace. */
typedef struct linnet_memory {
  size_t struct_size;
  int64_t block;        /* the following four, with alignment */
  int64_t arena;        /* planned by the converter */
  int64_t state;        /* tables of the session */
  int64_t operators;    /* what backends keep per session */
  int64_t workspace;    /* temporary memory of one step at a time */
  int64_t prepared;     /* packed weights, shared by the sessions of one plan */
  int64_t backend_heap; /* bytes that a backend took from malloc because another library initialised
                           it first */
  int64_t devices;      /* tensors in the memory of other devices than the CPU */
} linnet_memory;

/* Packs the weights once, to be shared by sessions, on the calling thread. A block makes them live
 * there. Of `options`, which may be NULL, signature, backend, block, block_bytes, max_bytes and
 * device count. */
LINNET_API linnet_status linnet_weights_prepare(linnet_plan* plan,
                                                const linnet_session_options* options,
                                                linnet_weights** weights, linnet_error* error);
/* After the last session that uses them. */
LINNET_API void linnet_weights_release(linnet_weights* weights);

/* What a session with these options needs on this machine, found by a dry preparation. */
LINNET_API linnet_status linnet_session_bytes(linnet_plan* plan,
                                              const linnet_session_options* options,
                                              linnet_memory* memory, linnet_error* error);

/* Everything that linnet_session_run will need is allocated here. `options` and `error` may be
 * NULL. LINNET_INVALID_ARGUMENT (no such signature), LINNET_UNSUPPORTED, LINNET_NO_MEMORY. */
LINNET_API linnet_status linnet_session_create(linnet_plan* plan,
                                               const linnet_session_options* options,
                                               linnet_session** session, linnet_error* error);
LINNET_API void linnet_session_destroy(linnet_session* session);

LINNET_API int32_t linnet_session_num_inputs(const linnet_session* session);
LINNET_API int32_t linnet_session_num_outputs(const linnet_session* session);
/* Owned by the plan; NULL when out of range. */
LINNET_API const linnet_tensor_info* linnet_session_input_info(const linnet_session* session,
                                                               int32_t index);
LINNET_API const linnet_tensor_info* linnet_session_output_info(const linnet_session* session,
                                                                int32_t index);
/* By name or source ("x", "x:0", "node:1"); -1 when there is none. */
LINNET_API int32_t linnet_session_find_input(const linnet_session* session, const char* name);
LINNET_API int32_t linnet_session_find_output(const linnet_session* session, const char* name);

/* For inputs whose extents vary: the shape from the next run on, at first the largest. Data is
 * dense in it, so write the data afterwards; memory stays where it is. Inputs that must have equal
 * extents change together. LINNET_INVALID_ARGUMENT, and nothing changes, when a dimension differs
 * that is fixed or is out of its bounds. Allocates nothing. */
LINNET_API linnet_status linnet_session_set_input_shape(linnet_session* session, int32_t index,
                                                        const int64_t* dims, int32_t rank);
/* The shape of an input in the next run, of an output in the last one. Returns the rank, -1 when
 * out of range. */
LINNET_API int32_t linnet_session_input_shape(const linnet_session* session, int32_t index,
                                              int64_t dims[LINNET_MAX_RANK]);
LINNET_API int32_t linnet_session_output_shape(const linnet_session* session, int32_t index,
                                               int64_t dims[LINNET_MAX_RANK]);

/* Memory of an input: write info->bytes there before every run, as a run may reuse it. 64-byte
 * aligned. NULL when out of range. */
LINNET_API void* linnet_session_input_data(linnet_session* session, int32_t index);
/* Memory of an output: valid after a successful run until the next one. */
LINNET_API const void* linnet_session_output_data(const linnet_session* session, int32_t index);

/* Reads the input from (writes the output to) the caller's memory from the next run on; NULL
 * returns to the session's own. No copy is made where the plan allows it and the memory is 64-byte
 * aligned and, for inputs, followed by 16 readable bytes that `bytes` counts too.
 * LINNET_INVALID_ARGUMENT when bytes is less than the tensor. */
LINNET_API linnet_status linnet_session_bind_input(linnet_session* session, int32_t index,
                                                   const void* data, size_t bytes);
LINNET_API linnet_status linnet_session_bind_output(linnet_session* session, int32_t index,
                                                    void* data, size_t bytes);
/* The same for any kind of buffer; NULL returns to the session's own memory. Rows that lie apart
 * are copied. LINNET_UNSUPPORTED for a kind or format that this library does not know. While a
 * buffer with pitch is bound, linnet_session_input_data and linnet_session_output_data give its
 * address. */
LINNET_API linnet_status linnet_session_bind_input_buffer(linnet_session* session, int32_t index,
                                                          const linnet_buffer* buffer);
LINNET_API linnet_status linnet_session_bind_output_buffer(linnet_session* session, int32_t index,
                                                           const linnet_buffer* buffer);

/* Runs the plan once and returns when all outputs are readable. Allocates nothing. What the model
 * keeps from run to run (variables that it assigns: streaming models) lives in the session and
 * changes when a run succeeds. LINNET_BAD_INDEX, LINNET_CANCELLED, LINNET_DEVICE_LOST: outputs are
 * undefined, the session stays usable. */
LINNET_API linnet_status linnet_session_run(linnet_session* session);

/* Begins a run on a thread of the session's own and returns at once; linnet_session_wait has its
 * result. The first call starts the thread (LINNET_NO_MEMORY when the system gives none), later
 * ones allocate nothing. Until a wait has answered something else than LINNET_TIMEOUT, the
 * session's inputs and outputs belong to the run, and beside wait, cancel, last_error, destroy and
 * what only reads infos, sizes and steps, calls on the session are refused with
 * LINNET_INVALID_ARGUMENT, -1 or NULL or do nothing. */
LINNET_API linnet_status linnet_session_submit(linnet_session* session);
/* Waits for the submitted run, `timeout_ns` nanoseconds at most (0: only asks; negative: as long as
 * it takes), and gives what linnet_session_run would. LINNET_TIMEOUT: it still runs.
 * LINNET_INVALID_ARGUMENT: nothing was submitted. LINNET_CANCELLED in a child of fork, where the
 * thread does not exist. linnet_session_cancel ends it early; linnet_session_destroy cancels and
 * waits. */
LINNET_API linnet_status linnet_session_wait(linnet_session* session, int64_t timeout_ns);

/* What the model keeps is again as in a new session: the next stream begins. Not during a run. */
LINNET_API void linnet_session_reset(linnet_session* session);
/* From any thread: a run in progress stops before its next step, the next iteration of a loop, or
 * within milliseconds inside a step on the portable backend; when none is, the next run does.
 * Applications that run untrusted plans need this: a loop's end may depend on its inputs. */
LINNET_API void linnet_session_cancel(linnet_session* session);
/* About the last call of linnet_session_run, submit, wait, set_input_shape, bind_input,
 * bind_input_buffer, bind_output or bind_output_buffer on this session, whether it failed or not;
 * valid until the next of these. Never NULL. */
LINNET_API const linnet_error* linnet_session_last_error(const linnet_session* session);

LINNET_API linnet_status linnet_session_memory(const linnet_session* session,
                                               linnet_memory* memory);

/* One step of the plan, for profiles. Steps of the bodies of loops and branches stand behind the
 * others. */
typedef struct linnet_step_info {
  size_t struct_size;  /* sizeof(linnet_step_info) */
  const char* op;      /* "Conv2D"; "While" and "If" for the steps that run others */
  const char* source;  /* first TensorFlow node it came from, "" when stripped */
  const char* backend; /* "xnnpack", "portable", "control" for While, If and Copy */
  int64_t macs;        /* multiply-accumulates, of one execution */
  int64_t bytes;       /* inputs and outputs */
} linnet_step_info;
LINNET_API int32_t linnet_session_num_steps(const linnet_session* session);
/* False (0) when out of range, or when info->struct_size is not set. */
LINNET_API int linnet_session_get_step_info(const linnet_session* session, int32_t index,
                                            linnet_step_info* info);
/* Off by default; costs two clock reads a step. */
LINNET_API void linnet_session_enable_profile(linnet_session* session, int on);
/* Nanoseconds of each step in the last run, over all times that it ran; what While and If took
 * beside the steps in them. linnet_session_num_steps values; NULL while profiling is off. */
LINNET_API const int64_t* linnet_session_step_ns(const linnet_session* session);

#ifdef __cplusplus
} /* extern "C" */
#endif

#ifndef LINNET_NO_DEPRECATED
#include "linnet/deprecated.h"
#endif

#endif /* LINNET_LINNET_H_ */
