/*
 * 2-D convolution and its gradients, for C11 and for other languages: the shared library conv2d_c.
 *
 *   describe (conv2d_desc) -> plan (conv2d_create_plan) -> run with the caller's memory (conv2d_run)
 *
 * Every function that can fail returns a code, CONV2D_OK or an error, and writes the field at fault and a sentence into
 * `status`, which may be NULL. A call that fails writes nothing else. No exception leaves the library. A run allocates
 * nothing. Plans are constant: threads may share one, each with its own tensors and workspace.
 *
 * Structures begin with their size: set it to sizeof, as conv2d_default_desc() and its like do. Later versions add
 * members at the end. They give a smaller structure of an older program the defaults, and refuse a larger one with
 * members that they do not know, unless those are 0. The names are those of C++ (conv2d/conv2d.hpp), where the formula
 * and the details are.
 */
#ifndef CONV2D_H
#define CONV2D_H

#include <stddef.h>
#include <stdint.h>

/* A build of the DLL defines it as dllexport; its callers need no mark. */
#ifndef CONV2D_C_API
#ifdef _WIN32
#define CONV2D_C_API
#else
#define CONV2D_C_API __attribute__((visibility("default")))
#endif
#endif

#ifdef __cplusplus
extern "C" {
#endif

/* Codes. The sentence of a status has the details. */
enum {
  CONV2D_OK = 0,
  CONV2D_INVALID_SIZE = 1,        /* a size is negative, or 0 where at least 1 is required */
  CONV2D_INVALID_STRIDE = 2,      /* stride < 1 */
  CONV2D_INVALID_DILATION = 3,    /* dilation < 1 */
  CONV2D_INVALID_PADDING = 4,     /* a padding is negative */
  CONV2D_INVALID_GROUPS = 5,      /* groups < 1, or groups does not divide c or k */
  CONV2D_CHANNEL_MISMATCH = 6,    /* the input channels of the weights are not c / groups */
  CONV2D_KERNEL_TOO_LARGE = 7,    /* the dilated kernel is larger than the padded input */
  CONV2D_INPUT_SIZE_MISMATCH = 8, /* dy does not have the shape that follows from x */
  CONV2D_LENGTH_MISMATCH = 9,     /* a tensor does not have the number of elements of its shape */
  CONV2D_OVERFLOW = 10,           /* a size, index or byte count exceeds the address space */
  CONV2D_OUT_OF_MEMORY = 11,      /* memory could not be allocated */
  CONV2D_UNKNOWN_ALGORITHM = 12,  /* the pass has no algorithm of this name */
  CONV2D_UNSUPPORTED = 13,        /* the algorithm does not support this geometry */
  CONV2D_INVALID_ARGUMENT = 14,   /* another argument is outside its range */
  CONV2D_CANCELLED = 15           /* not returned by functions of this header */
};

/* Memory order of x and y, also of dx and dy. All tensors are dense and row-major: the last letter varies fastest. */
enum {
  CONV2D_NHWC = 0, /* x [n,h,w,c], y [n,oh,ow,k] */
  CONV2D_NCHW = 1  /* x [n,c,h,w], y [n,k,oh,ow] */
};

/* Memory order of w and dw. I is c / groups, O is k. */
enum {
  CONV2D_AUTOMATIC = 0, /* HWIO with NHWC, OIHW with NCHW */
  CONV2D_HWIO = 1,      /* [kh,kw,c/groups,k], as in TensorFlow */
  CONV2D_OIHW = 2,      /* [k,c/groups,kh,kw], as in PyTorch */
  CONV2D_OHWI = 3       /* [k,kh,kw,c/groups], as in TensorFlow Lite */
};

/* Padding modes. */
enum {
  CONV2D_EXPLICIT_SIDES = 0, /* top, bottom, left, right of the description */
  CONV2D_VALID = 1,          /* none */
  CONV2D_SAME = 2,           /* TensorFlow's SAME: odd padding is added at the bottom and right */
  CONV2D_FULL = 3            /* dilated kernel - 1 on every side */
};

/* Passes: y = conv(x, w) + b, and the gradients of sum(y * dy), summed over the batch. */
enum {
  CONV2D_FORWARD = 0,          /* y from x, w and b */
  CONV2D_BACKWARD_DATA = 1,    /* dx from dy and w */
  CONV2D_BACKWARD_WEIGHTS = 2, /* dw from x and dy */
  CONV2D_BACKWARD_BIAS = 3     /* db from dy */
};

/* Required accuracy of an algorithm. Each level also allows the algorithms of all later ones. */
enum {
  CONV2D_FAST = 0,     /* all, including Winograd F(4x4, 3x3) */
  CONV2D_STANDARD = 1, /* without F(4x4, 3x3) */
  CONV2D_STRICT = 2    /* without Winograd */
};

/* The outcome of a call. Its layout never changes. */
typedef struct conv2d_status {
  int32_t code;      /* CONV2D_OK or an error */
  char field[60];    /* the argument at fault: "stride_h", "padding.top", "x"; empty if there is none */
  char message[448]; /* a sentence with the expected and the actual value; empty for CONV2D_OK */
} conv2d_status;

/* A 2-D convolution (cross-correlation). Sizes are in elements; a dilation of 1 means none. */
typedef struct conv2d_desc {
  size_t size;
  int64_t n, h, w, c; /* x: images, rows, columns, channels */
  int64_t k, kh, kw;  /* w: filters, kernel rows, kernel columns */
  int64_t stride_h, stride_w, dilation_h, dilation_w;
  int64_t groups;                   /* divides c and k; groups == c is depthwise */
  int64_t top, bottom, left, right; /* read only with CONV2D_EXPLICIT_SIDES */
  int32_t layout, weights_layout, padding_mode;
  int32_t reserved; /* 0 */
} conv2d_desc;

/* All sizes are 1, NHWC, no padding. */
static inline conv2d_desc conv2d_default_desc(void) {
  conv2d_desc desc = {
      sizeof(conv2d_desc),   1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 0, 0, 0, 0, CONV2D_NHWC, CONV2D_AUTOMATIC,
      CONV2D_EXPLICIT_SIDES, 0};
  return desc;
}

/* The sizes that follow from a description. Written by the library. */
typedef struct conv2d_geometry {
  size_t size;
  int64_t oh, ow;
  int64_t top, bottom, left, right; /* the padding of each side */
  int64_t remainder_h, remainder_w; /* padded rows and columns at the end that no window reads */
  int64_t x_size, w_size, y_size;   /* elements */
  int64_t x_shape[4], w_shape[4], y_shape[4];
  int64_t macs; /* multiply-adds of one pass, including taps on padding */
} conv2d_geometry;

/* For conv2d_get_geometry to write into. */
static inline conv2d_geometry conv2d_empty_geometry(void) {
  conv2d_geometry geometry = {
      sizeof(conv2d_geometry), 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, {0, 0, 0, 0}, {0, 0, 0, 0}, {0, 0, 0, 0}, 0};
  return geometry;
}

/* What conv2d_create_plan may choose. */
typedef struct conv2d_plan_options {
  size_t size;
  const char* algorithm;       /* a name; NULL: the fastest that `accuracy` allows */
  const char* instruction_set; /* "sse2", "avx2", "avx512", "neon", "portable"; NULL: the fastest of this processor */
  int64_t macs_per_thread;     /* the minimum of multiply-adds for each thread */
  int32_t threads;             /* the most threads of a run */
  int32_t accuracy;
  int32_t packed_weights; /* 1: the weights will be packed, so packing does not count in the choice */
  int32_t deterministic;  /* 1: the algorithm does not depend on `threads` */
  int32_t accumulate;     /* 1: dw or db is added to the output */
  int32_t reserved;       /* 0 */
} conv2d_plan_options;

/* One thread, deterministic, the fastest algorithm. */
static inline conv2d_plan_options conv2d_default_plan_options(void) {
  conv2d_plan_options options = {sizeof(conv2d_plan_options), NULL, NULL, 1048576, 1, CONV2D_FAST, 0, 1, 0, 0};
  return options;
}

/* What a plan chose. Written by the library. */
typedef struct conv2d_plan_info {
  size_t size;
  const char* algorithm;       /* valid as long as the plan */
  const char* instruction_set; /* valid as long as the plan */
  int64_t workspace_floats;    /* the least workspace of a run */
  int64_t packed_floats;       /* floats of the packed weights; 0: the algorithm does not use any */
  int32_t pass;
  int32_t threads; /* the threads that a run uses */
} conv2d_plan_info;

/* For conv2d_get_plan_info to write into. */
static inline conv2d_plan_info conv2d_empty_plan_info(void) {
  conv2d_plan_info info = {sizeof(conv2d_plan_info), NULL, NULL, 0, 0, 0, 0};
  return info;
}

/* Elements that a run reads. */
typedef struct conv2d_input {
  const float* data;
  int64_t count;
} conv2d_input;
/* Elements that a run writes. */
typedef struct conv2d_output {
  float* data;
  int64_t count;
} conv2d_output;

/* The tensors of a run. Those that the pass does not read are ignored. */
typedef struct conv2d_tensors {
  size_t size;
  conv2d_input x, w;
  conv2d_input packed; /* of conv2d_pack_weights, read instead of w; or empty */
  conv2d_input b;      /* k elements; or empty for no bias */
  conv2d_input dy;
  conv2d_output out;       /* y, dx, dw or db; overlaps no other */
  conv2d_output workspace; /* at least workspace_floats; its contents do not matter */
} conv2d_tensors;

/* All tensors are empty. */
static inline conv2d_tensors conv2d_no_tensors(void) {
  conv2d_tensors tensors = {
      sizeof(conv2d_tensors), {NULL, 0}, {NULL, 0}, {NULL, 0}, {NULL, 0}, {NULL, 0}, {NULL, 0}, {NULL, 0}};
  return tensors;
}

typedef struct conv2d_plan conv2d_plan;       /* a pass that is ready to run */
typedef struct conv2d_pool conv2d_pool;       /* threads that runs share */
typedef struct conv2d_verdict conv2d_verdict; /* the verdict on a result of another program */

/* The version of the library: "0.1.0". */
CONV2D_C_API const char* conv2d_version(void);

/* The name of a code: "kernel_too_large". NULL for other numbers. */
CONV2D_C_API const char* conv2d_code_name(int32_t code);

/* Checks a description and computes all sizes that follow from it. */
CONV2D_C_API int32_t conv2d_get_geometry(const conv2d_desc* desc, conv2d_geometry* geometry, conv2d_status* status);

/* Chooses an algorithm and lays out its memory. `options` may be NULL for the defaults. Free it with
 * conv2d_destroy_plan. */
CONV2D_C_API int32_t conv2d_create_plan(const conv2d_desc* desc, int32_t pass, const conv2d_plan_options* options,
                                        conv2d_plan** plan, conv2d_status* status);
/* Writes what the plan chose. */
CONV2D_C_API int32_t conv2d_get_plan_info(const conv2d_plan* plan, conv2d_plan_info* info, conv2d_status* status);
CONV2D_C_API void conv2d_destroy_plan(conv2d_plan* plan); /* NULL: nothing happens */

/* Starts threads - 1 threads, at most 63; the caller of a run is one more. They work for one run at a time: other runs
   compute on their own thread. */
CONV2D_C_API int32_t conv2d_create_pool(int32_t threads, conv2d_pool** pool, conv2d_status* status);
CONV2D_C_API int32_t conv2d_pool_threads(const conv2d_pool* pool); /* including the caller; 1 for NULL */
CONV2D_C_API void conv2d_destroy_pool(conv2d_pool* pool);          /* NULL: nothing happens */

/* Packs w once for many runs. `packed` has packed_floats elements. It fits plans of the same pass, geometry, algorithm,
   instruction set and version of the library; a run refuses others. */
CONV2D_C_API int32_t conv2d_pack_weights(const conv2d_plan* plan, conv2d_input w, conv2d_output packed,
                                         conv2d_status* status);

/* Runs the pass of the plan. Allocates nothing. `pool` may be NULL for the calling thread alone: the results have the
   same bits. */
CONV2D_C_API int32_t conv2d_run(const conv2d_plan* plan, const conv2d_tensors* tensors, conv2d_pool* pool,
                                conv2d_status* status);

/* Types of elements of another program. */
enum { CONV2D_FLOAT32 = 0, CONV2D_FLOAT16 = 1, CONV2D_BFLOAT16 = 2 };

/* Layers of another program. Pooling reads the window as kh x kw; ReLU reads only sizes of x. */
enum { CONV2D_CONV = 0, CONV2D_RELU = 1, CONV2D_MAX_POOL = 2, CONV2D_AVERAGE_POOL = 3 };

/* Verdicts. */
enum {
  CONV2D_MATCHES = 0,      /* every element is right */
  CONV2D_SCALED = 1,       /* every element is `factor` times the right value */
  CONV2D_MISTAKE = 2,      /* every element is the value of the mistakes `names` */
  CONV2D_PARTLY_WRONG = 3, /* `where` describes the elements that differ */
  CONV2D_DIFFERS = 4,      /* elements differ, and no rule describes them */
  CONV2D_CANNOT_TELL = 5,  /* an operand is missing, or rounding hides the difference between right and wrong */
  CONV2D_DOES_NOT_FIT = 6  /* the length is not that of the result, or the description or an operand is invalid */
};

/* Elements of another program. */
typedef struct conv2d_elements {
  const void* data; /* float, or 16-bit patterns */
  int64_t count;
  int32_t type;
  int32_t reserved; /* 0 */
} conv2d_elements;

/* A result to judge, and the tensors that its pass reads. */
typedef struct conv2d_judged {
  size_t size;
  conv2d_elements x, w, b, dy;
  conv2d_elements result;    /* y, dx, dw or db of another program */
  double learning_rate;      /* a further factor that has a reason, unless 0 */
  int32_t layer;             /* CONV2D_CONV */
  int32_t count_include_pad; /* CONV2D_AVERAGE_POOL: 1 divides by kh * kw */
  int32_t is_text;           /* 1: the result was printed as text, so zeros may be rounded numbers */
  int32_t reserved;          /* 0 */
} conv2d_judged;

/* A convolution without tensors. */
static inline conv2d_judged conv2d_nothing_judged(void) {
  conv2d_judged judged = {sizeof(conv2d_judged),
                          {NULL, 0, 0, 0},
                          {NULL, 0, 0, 0},
                          {NULL, 0, 0, 0},
                          {NULL, 0, 0, 0},
                          {NULL, 0, 0, 0},
                          0,
                          CONV2D_CONV,
                          1,
                          0,
                          0};
  return judged;
}

/* A verdict as data. Written by the library; texts are valid as long as the verdict, and never NULL. */
typedef struct conv2d_verdict_info {
  size_t size;
  const char* sentence;      /* the verdict in words, with its numbers */
  const char* format;        /* "float32", "bfloat16", "float16", "tf32", "4 decimals" */
  const char* factor_reason; /* "1/n", "a learning rate"; empty: none is known */
  const char* where;         /* "columns from 24 on" */
  const char* relation;      /* what the elements that differ are: "0" */
  const char* reason;        /* of CONV2D_CANNOT_TELL and CONV2D_DOES_NOT_FIT */
  const char* const* names;  /* of mistakes: one, two one after the other, or several that all give the result */
  int64_t name_count;
  double factor;
  int64_t cells;     /* elements of the result */
  int64_t differing; /* of those, outside of rounding */
  int64_t worst;     /* index of the element with the largest error; -1 if all match */
  double yours, right;
  int32_t judgement;
  int32_t in_sequence; /* 1: the two `names` were made one after the other */
} conv2d_verdict_info;

/* For conv2d_get_verdict_info to write into. */
static inline conv2d_verdict_info conv2d_empty_verdict_info(void) {
  conv2d_verdict_info info = {
      sizeof(conv2d_verdict_info), NULL, NULL, NULL, NULL, NULL, NULL, NULL, 0, 0, 0, 0, 0, 0, 0, 0, 0};
  return info;
}

/* Judges a result of another program: right, scaled, which mistake gives it, where it is wrong. Right values are
   computed in double. A result that does not fit is a verdict and no error. Free it with conv2d_destroy_verdict. */
CONV2D_C_API int32_t conv2d_judge(const conv2d_desc* desc, int32_t pass, const conv2d_judged* judged,
                                  conv2d_verdict** verdict, conv2d_status* status);
/* Writes the verdict as data. */
CONV2D_C_API int32_t conv2d_get_verdict_info(const conv2d_verdict* verdict, conv2d_verdict_info* info,
                                             conv2d_status* status);
CONV2D_C_API void conv2d_destroy_verdict(conv2d_verdict* verdict); /* NULL: nothing happens */

/* An array with a name, as a file has it: row-major, any number of axes. Its layout never changes. */
typedef struct conv2d_array {
  const char* name;     /* "conv1.weight"; NULL: none */
  const int64_t* shape; /* `axes` sizes */
  int64_t axes;
  conv2d_elements values;
  int32_t is_text;  /* 1: printed as text, so zeros may be rounded numbers */
  int32_t reserved; /* 0 */
} conv2d_array;

/* An argument of a layer: "stride", "conv1.padding", "dilation", "groups". Believed only if the values of the arrays
   agree. Its layout never changes. */
typedef struct conv2d_argument {
  const char* name;
  const char* text;      /* "same", "NCHW"; NULL: `values` are read */
  const int64_t* values; /* `count` numbers: 2, or 1 1, or top left bottom right */
  int64_t count;
} conv2d_argument;

/* Arrays of layers to judge, without a description. */
typedef struct conv2d_judged_arrays {
  size_t size;
  const conv2d_array* arrays;
  int64_t array_count;
  const conv2d_argument* arguments; /* may be NULL */
  int64_t argument_count;
  double learning_rate; /* a further factor that has a reason, unless 0 */
  const char* file;     /* its name, for `json`; NULL: none */
} conv2d_judged_arrays;

/* No arrays. */
static inline conv2d_judged_arrays conv2d_no_judged_arrays(void) {
  conv2d_judged_arrays judged = {sizeof(conv2d_judged_arrays), NULL, 0, NULL, 0, 0, NULL};
  return judged;
}

/* Verdicts on arrays. */
enum {
  CONV2D_RIGHT = 0,    /* every result matches */
  CONV2D_WRONG = 1,    /* a result does not, or a gradient changes between two layers */
  CONV2D_UNDECIDED = 2 /* a result cannot be judged, or there is none; those that can are right */
};

typedef struct conv2d_arrays_verdict conv2d_arrays_verdict; /* the verdict on arrays of layers */

/* Written by the library; texts are valid as long as the verdict. */
typedef struct conv2d_arrays_info {
  size_t size;
  const char* sentence; /* the verdict in words */
  const char* json;     /* all of it, one line: layers with their geometry, evidence and a verdict on each result */
  int32_t verdict;
  int32_t reserved; /* 0 */
} conv2d_arrays_info;

/* For conv2d_get_arrays_info to write into. */
static inline conv2d_arrays_info conv2d_empty_arrays_info(void) {
  conv2d_arrays_info info = {sizeof(conv2d_arrays_info), NULL, NULL, 0, 0};
  return info;
}

/* Finds which array is which tensor of which layer, the order of its axes and the geometry, by names, sizes and values;
   then judges every result. Free it with conv2d_destroy_arrays_verdict. */
CONV2D_C_API int32_t conv2d_judge_arrays(const conv2d_judged_arrays* judged, conv2d_arrays_verdict** verdict,
                                         conv2d_status* status);
/* Writes the verdict as data. */
CONV2D_C_API int32_t conv2d_get_arrays_info(const conv2d_arrays_verdict* verdict, conv2d_arrays_info* info,
                                            conv2d_status* status);
CONV2D_C_API void conv2d_destroy_arrays_verdict(conv2d_arrays_verdict* verdict); /* NULL: nothing happens */

#ifdef __cplusplus
}
#endif

#endif
