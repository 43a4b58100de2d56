/* SPDX-License-Identifier: Apache-2.0
 *
 * types.h: the types that functions of linnet.h take and return. Include linnet.h, which includes
 * this.
 */
#ifndef LINNET_TYPES_H_
#define LINNET_TYPES_H_

#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/* What a call returns that can fail. */
typedef int32_t linnet_status;
enum {
  LINNET_OK = 0,
  LINNET_INVALID_ARGUMENT = 1, /* an argument is invalid, or the call is not allowed now */
  LINNET_INVALID_PLAN = 2,     /* the plan is damaged or breaks a rule of the format */
  LINNET_UNSUPPORTED = 3,      /* this build or this machine cannot run the plan */
  LINNET_VERSION_TOO_NEW = 4,  /* the plan needs a newer version of this library */
  LINNET_NO_MEMORY = 5,        /* a block is too small (see bytes_needed), or out of memory */
  LINNET_IO = 6,               /* a file or a linnet_reader could not be read */
  LINNET_BAD_INDEX =
      7, /* run: an index or extent computed from data is out of range, or a division by 0 */
  LINNET_CANCELLED = 8,   /* run: linnet_session_cancel was called */
  LINNET_DEVICE_LOST = 9, /* run: the GPU stopped working, and memory for the CPU was missing */
  LINNET_INTERNAL = 10,   /* a bug in Linnet */
  LINNET_TIMEOUT = 11     /* wait: the time is up and the run is still going on */
};

/* Why a call failed. The caller allocates it. */
typedef struct linnet_error {
  linnet_status status;
  int32_t step;         /* index of the plan's step that failed, -1 if none did */
  int64_t bytes_needed; /* when a given block is too small: the size that suffices; else 0 */
  char text[256];       /* one sentence for people, "" after success; names the TensorFlow node of a
                         * step */
} linnet_error;

/* The type of the elements of a tensor. */
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

/* The most dimensions that a tensor has. */
#define LINNET_MAX_RANK 8

enum { /* linnet_tensor_info.flags */
       /* An input that a run leaves as the caller wrote it, so it need not be written again before
          the next run. The library finds this out from the plan's memory. `linnet convert
          --keep-inputs` makes all inputs so; others may be so by chance. */
       LINNET_TENSOR_KEPT = 1
};

/* One input or output. Data is dense and row-major; images are NHWC. */
typedef struct linnet_tensor_info {
  const char* name;   /* its name in the model's signature; the node's name without signatures */
  const char* source; /* "node:output" in the TensorFlow graph */
  linnet_dtype dtype;
  int32_t rank;
  int64_t dims[LINNET_MAX_RANK]; /* outermost first; the maximum of a dimension that varies */
  int64_t bytes;                 /* of a tensor with these dims */
  uint32_t varies; /* bit d: dimension d may be smaller in a run, see linnet_session_input_shape
                      and linnet_session_output_shape */
  uint32_t flags;  /* LINNET_TENSOR_... */
} linnet_tensor_info;

/* Replaces malloc and free, for memory that does not come from a block of the caller: to use the
 * program's own allocator, to count or to limit. Both functions get `context`. Any thread that
 * calls Linnet may call them, several at once; runs never do. They must not call Linnet. */
typedef struct linnet_allocator {
  size_t struct_size; /* sizeof(linnet_allocator) */
  void* context;
  /* Returns `bytes` > 0 bytes at a multiple of `alignment`, which is a power of two up to 64; NULL
   * when out of memory. */
  void* (*allocate)(void* context, size_t bytes, size_t alignment);
  /* Frees memory that allocate returned, never NULL. `bytes` is what allocate was asked for. */
  void (*release)(void* context, void* memory, size_t bytes);
} linnet_allocator;

enum { /* linnet_open_options.flags */
       /* Read the file into memory instead of mapping it. A mapped file must not be changed or
          truncated while the plan is open. */
       LINNET_OPEN_COPY = 1,
       /* For linnet_plan_open_memory: read the plan's structure where it lies instead of copying
          it. `data` must be a multiple of 64, and no byte may change before linnet_plan_close:
          unlike a copy, the structure could then become unsafe after it was checked. */
       LINNET_OPEN_IN_PLACE = 2
};

/* How a plan is opened. */
typedef struct linnet_open_options {
  size_t struct_size;                /* sizeof(linnet_open_options) */
  uint32_t flags;                    /* LINNET_OPEN_...; other bits: LINNET_INVALID_ARGUMENT */
  const linnet_allocator* allocator; /* NULL: malloc. The struct is copied; its functions must work
                                      * until the plan is closed */
  void* block; /* memory for the opened plan itself, until it is closed; NULL: the allocator. What
                * LINNET_OPEN_COPY and linnet_plan_open_reader read is in it too; sessions, prepared
                * weights and what opening needs only for a moment are not */
  size_t
      block_bytes; /* see linnet_plan_bytes. When too few: LINNET_NO_MEMORY and bytes_needed; to
                    * tell these, the plan is opened in memory of the allocator and closed again */
} linnet_open_options;

/* What kind of memory a buffer is. Future versions may add kinds. */
typedef int32_t linnet_buffer_kind;
enum { LINNET_BUFFER_POINTER = 1 /* memory that the CPU reads and writes at `address` */ };

/* The layout of the elements in a buffer. */
typedef int32_t linnet_buffer_format;
enum { LINNET_FORMAT_TENSOR = 0 /* elements of the tensor's dtype, row-major */ };

/* Memory of the caller from which an input is read or to which an output is written. */
typedef struct linnet_buffer {
  size_t struct_size; /* sizeof(linnet_buffer) */
  linnet_buffer_kind kind;
  linnet_buffer_format format;
  void* address; /* Linnet never writes to the buffer of an input */
  size_t bytes;  /* that Linnet may read (input) or write (output) at `address` */
  size_t pitch;  /* bytes from the start of one row to the start of the next; 0: no gaps. A row is
                  * the last two dimensions of a tensor that has three or more (width and channels of
                  * an image), else the last one. Linnet does not write between rows */
} linnet_buffer;

/* What a session is to run on. */
typedef int32_t linnet_backend;
enum {
  LINNET_BACKEND_AUTO = 0, /* the GPU where the plan was converted for it and the machine has one
                            * (a driver in software does not count), else the CPU */
  LINNET_BACKEND_CPU = 1,  /* XNNPACK for the steps that it supports, else portable kernels */
  LINNET_BACKEND_PORTABLE = 2, /* portable kernels only */
  LINNET_BACKEND_VULKAN = 3,   /* the GPU, and the CPU for the steps that are placed there.
                                * LINNET_UNSUPPORTED when the plan was not converted for a GPU. Where
                                * no GPU can be used, for example in a build without Vulkan, or where
                                * it runs no step of the plan, the CPU does it all, as with AUTO, and
                                * linnet_session_backend says why */
  LINNET_BACKEND_PLAIN = 4 /* portable kernels that read weights where they lie in the plan: they
                            * are slower, and take no memory for packed weights. A program that
                            * was linked with `linnet embed --plain-weights` has no others; one
                            * that was linked by `linnet embed` without that has not these:
                            * LINNET_UNSUPPORTED */
};

typedef struct linnet_weights linnet_weights; /* packed for one backend; sessions share them */
struct pthreadpool; /* <pthreadpool.h>: pthreadpool_t is a pointer to it */

typedef int32_t linnet_log_level; /* of what a session tells linnet_session_options.log */
enum { LINNET_LOG_INFO = 0, LINNET_LOG_WARNING = 1 };

/* How a session is created. */
typedef struct linnet_session_options {
  size_t struct_size;     /* sizeof(linnet_session_options) */
  const char* signature;  /* its name; NULL: the first. Ignored when `weights` is given */
  linnet_backend backend; /* ignored when `weights` is given */
  int32_t threads; /* including the calling one; 0 means 1. When the system starts fewer threads,
                    * the session uses those and `log` gets a warning. In a child process after
                    * fork, the session runs on the calling thread alone */
  struct pthreadpool*
      pool;                /* threads that the caller lends, instead of `threads`; must outlive the
                            * session. May serve several sessions, one job at a time.
                            * LINNET_UNSUPPORTED in builds without XNNPACK, which brings pthreadpool */
  linnet_weights* weights; /* NULL: shared with the plan's other sessions of the same backend and
                            * `kernels` */
  void* block;             /* memory for the whole session; NULL: the plan's allocator */
  size_t
      block_bytes; /* see linnet_session_bytes. When too few: LINNET_NO_MEMORY and bytes_needed */
  /* Called by linnet_session_create on its thread, and by a run that loses the GPU, on the thread
   * of the run; may be NULL. */
  void (*log)(void* context, linnet_log_level level, const char* text);
  void* log_context;
  size_t max_bytes; /* for untrusted plans, which may describe tensors of any size. The session, the
                     * weights prepared for it and the temporary memory of that preparation may each
                     * allocate this many bytes; more is LINNET_NO_MEMORY. 0: no limit */
  const char* device; /* id of a linnet_device; NULL: as `backend` says. LINNET_UNSUPPORTED when
                       * this machine has no such device. "vulkan" is the same as
                       * LINNET_BACKEND_VULKAN otherwise. LINNET_INVALID_ARGUMENT when `backend` is
                       * another device's. Ignored when `weights` is given */
  const void* cache; /* what linnet_session_cache or `store_cache` gave to an earlier process; NULL:
                      * nothing. Only read during the call. Where it is damaged, or was made for
                      * another plan, signature, GPU, driver or version of Linnet, the session is
                      * created as without it, and linnet_session_backend says why */
  size_t cache_bytes;
  /* Stores `bytes` bytes at `data` for the next process; may be NULL. See "Trust" in
   * linnet.h. */
  void (*store_cache)(void* context, const void* data, size_t bytes);
  void* store_context;
  uint32_t flags;      /* LINNET_SESSION_...; other bits: LINNET_INVALID_ARGUMENT */
  const void* kernels; /* a profile that `linnet-run --measure-kernels` wrote on this machine: which
                        * of the CPU's kernels runs a step faster. NULL: the library's own rules, as
                        * for steps that are not in it. Only read during the call.
                        * LINNET_INVALID_ARGUMENT: it is damaged. LINNET_UNSUPPORTED: it was
                        * measured with another CPU, instruction set, library of kernels or number
                        * of `threads` (which with `pool` says how many that has). Ignored when
                        * `weights` is given, in builds with one kernel for each step (without
                        * XNNPACK), and where the CPU takes over from a GPU that stopped working */
  size_t kernels_bytes;
} linnet_session_options;

enum { /* linnet_session_options.flags */
       /* Use the GPU without a test. For measurements: GPUs exist that compute wrong results. */
       LINNET_SESSION_NO_SELF_TEST = 1
};

/* How a plan's program for the GPU came to be trusted. */
typedef int32_t linnet_self_test;
enum {
  LINNET_SELF_TEST_NONE = 0,   /* the GPU was not tested: it is not used, or nobody wanted a test */
  LINNET_SELF_TEST_PASSED = 1, /* in this process, by this session or an earlier one of the plan */
  LINNET_SELF_TEST_CACHED = 2, /* in an earlier process, as linnet_session_options.cache says */
  LINNET_SELF_TEST_FAILED = 3  /* in either; so the CPU runs the plan */
};

/* What runs a session. */
typedef struct linnet_backend_info {
  size_t struct_size;      /* sizeof(linnet_backend_info) */
  linnet_backend backend;  /* LINNET_BACKEND_VULKAN, _CPU, _PORTABLE or _PLAIN */
  int32_t device_lost;     /* 1: the GPU stopped working in a run, and the CPU took over; else 0 */
  const char* why_not_gpu; /* one sentence; NULL for LINNET_BACKEND_VULKAN. Lives as long as the
                            * session */
  const char* why_cache_refused; /* one sentence; NULL when linnet_session_options.cache was of use,
                                  * or was not needed */
  linnet_self_test self_test;
} linnet_backend_info;

/* How many bytes a session uses, and what for; after its GPU stopped working, with those of the
 * CPU's program. */
typedef struct linnet_memory {
  size_t struct_size;   /* sizeof(linnet_memory) */
  int64_t block;        /* the sum of the next four: what options.block_bytes must be at least */
  int64_t arena;        /* activations, inputs and outputs, as the converter arranged them */
  int64_t state;        /* tables of the session, and the variables of the model */
  int64_t operators;    /* what backends keep per session */
  int64_t workspace;    /* temporary memory, used by one step at a time */
  int64_t prepared;     /* packed weights in the CPU's memory, shared by the sessions of one plan */
  int64_t backend_heap; /* what backends took from malloc in the whole process, because another
                           library had initialised them first; an estimate */
  int64_t devices;      /* memory of devices other than the CPU: the session's tensors there, inputs
                           and outputs in memory that a device shares with the CPU, and packed
                           weights, which the sessions of one plan share */
} linnet_memory;
/* One step of the program that the session runs, for profiling. Steps inside loops and branches
 * come after all others. */
typedef struct linnet_step_info {
  size_t struct_size;    /* sizeof(linnet_step_info) */
  const char* op;        /* "Conv2D"; "While" and "If" for steps that run other steps */
  const char* source;    /* the first TensorFlow node that it came from, "" when stripped */
  const char* backend;   /* "xnnpack", "portable", "vulkan"; "control" for While, If and Copy */
  int64_t macs;          /* multiply-accumulate operations of one execution */
  int64_t bytes;         /* size of its inputs and outputs */
  int64_t flops;         /* all arithmetic of one execution, of a multiply-accumulate two */
  const char* layout;    /* how the memory in which it runs lays out tensors: "dense" on the CPU,
                          * "rows4" (rows padded to four elements of four
                          * bytes) or "rows4_half" (of two bytes) on a GPU */
  const char* chosen_by; /* why this backend: "plan", which places steps on a GPU and has While, If
                          * and Copy; "profile" (linnet_session_options.kernels); "rules", which the
                          * library has */
} linnet_step_info;

/* What a run takes to let a device other than the CPU work, for profiling. */
typedef struct linnet_device_times {
  size_t struct_size;  /* sizeof(linnet_device_times) */
  int64_t submissions; /* how often a run hands steps to a device; 0: the CPU runs all */
  int64_t wait_ns;     /* how long the CPU waited for it in the last run while it did not work on
                        * these steps; 0 where it cannot tell, and while profiling is off */
} linnet_device_times;

#ifdef __cplusplus
}
#endif

#endif /* LINNET_TYPES_H_ */
