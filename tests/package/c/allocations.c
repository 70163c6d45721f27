/* Counts allocations of runs, with and without threads, and of refused runs. Prints the counts; all must be 0 but the
 * last, of a plan. */

#include <conv2d.h>
#include <stdatomic.h>
#include <stdio.h>

/* This program's malloc is that of all shared libraries; glibc has its own by these names. */
void* __libc_malloc(size_t bytes);
void* __libc_memalign(size_t alignment, size_t bytes);

static atomic_int count;

void* malloc(size_t bytes) {
  ++count;
  return __libc_malloc(bytes);
}
void* aligned_alloc(size_t alignment, size_t bytes) {
  ++count;
  return __libc_memalign(alignment, bytes);
}

static float x[64 * 64 * 8], w[3 * 3 * 8 * 8], y[64 * 64 * 8], workspace[1 << 22], packed[1 << 16];

int main(void) {
  conv2d_desc desc = conv2d_default_desc();
  desc.h = desc.w = 64;
  desc.c = desc.k = 8;
  desc.kh = desc.kw = 3;
  desc.padding_mode = CONV2D_SAME;
  conv2d_plan_options options = conv2d_default_plan_options();
  options.algorithm = "implicit_gemm";
  options.threads = 2;
  options.macs_per_thread = 0;
  conv2d_status status;
  conv2d_pool* pool = NULL;
  conv2d_plan* plan = NULL;
  conv2d_plan_info info = conv2d_empty_plan_info();
  if (conv2d_create_pool(2, &pool, &status) != CONV2D_OK) return 1;
  if (conv2d_create_plan(&desc, CONV2D_FORWARD, &options, &plan, &status) != CONV2D_OK) return 2;
  if (conv2d_get_plan_info(plan, &info, &status) != CONV2D_OK || info.threads != 2 || info.packed_floats == 0) return 3;
  conv2d_tensors tensors = conv2d_no_tensors();
  tensors.x = (conv2d_input){x, sizeof x / sizeof *x};
  tensors.w = (conv2d_input){w, sizeof w / sizeof *w};
  tensors.out = (conv2d_output){y, sizeof y / sizeof *y};
  tensors.workspace = (conv2d_output){workspace, sizeof workspace / sizeof *workspace};
  conv2d_output room = {packed, info.packed_floats};

  int before = count;
  int failed = conv2d_run(plan, &tensors, NULL, &status);
  int counts[6] = {count - before};
  before = count;
  failed |= conv2d_run(plan, &tensors, pool, &status);
  counts[1] = count - before;
  before = count;
  failed |= conv2d_pack_weights(plan, tensors.w, room, &status);
  tensors.packed = (conv2d_input){packed, info.packed_floats};
  failed |= conv2d_run(plan, &tensors, pool, &status);
  counts[2] = count - before;
  if (failed) return 4;
  tensors.x.count = 1;
  before = count;
  if (conv2d_run(plan, &tensors, pool, &status) != CONV2D_LENGTH_MISMATCH) return 5;
  counts[3] = count - before;
  tensors.x.count = -1;
  before = count;
  if (conv2d_run(plan, &tensors, pool, &status) != CONV2D_INVALID_ARGUMENT) return 6;
  counts[4] = count - before;
  conv2d_destroy_plan(plan);
  before = count;
  if (conv2d_create_plan(&desc, CONV2D_FORWARD, &options, &plan, NULL) != CONV2D_OK) return 7;
  counts[5] = count - before;
  printf("%d %d %d %d %d %s\n", counts[0], counts[1], counts[2], counts[3], counts[4], counts[5] > 0 ? "some" : "none");
  conv2d_destroy_plan(plan);
  conv2d_destroy_pool(pool);
  return 0;
}
