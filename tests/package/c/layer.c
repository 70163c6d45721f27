#include <conv2d.h>
#include <stdio.h>
#include <stdlib.h>

/* Every call returns a code. The status has the field at fault and a message with the numbers. */
static conv2d_status status;
static void must(int32_t code) {
  if (code == CONV2D_OK) return;
  fprintf(stderr, "%s of %s: %s\n", conv2d_code_name(code), status.field, status.message);
  exit(1);
}

static float* ones(int64_t count) {
  float* data = malloc((size_t)count * sizeof(float));
  if (!data) abort();
  for (int64_t i = 0; i < count; ++i) data[i] = 1;
  return data;
}

/* Plans and runs one pass. Plan once for many runs: they allocate nothing. */
static void run(const conv2d_desc* desc, int32_t pass, conv2d_tensors tensors, conv2d_pool* pool) {
  conv2d_plan_options options = conv2d_default_plan_options();
  options.threads = conv2d_pool_threads(pool);
  conv2d_plan* plan = NULL;
  conv2d_plan_info info = conv2d_empty_plan_info();
  must(conv2d_create_plan(desc, pass, &options, &plan, &status));
  must(conv2d_get_plan_info(plan, &info, &status));

  float* workspace = ones(info.workspace_floats);
  tensors.workspace = (conv2d_output){workspace, info.workspace_floats};
  must(conv2d_run(plan, &tensors, pool, &status));
  free(workspace);
  conv2d_destroy_plan(plan);
}

int main(void) {
  /* 28 x 28 pixels, 64 channels, 128 filters of 3 x 3 in PyTorch's order. Defaults: one image, stride 1, NHWC. */
  conv2d_desc desc = conv2d_default_desc();
  desc.h = desc.w = 28;
  desc.c = 64;
  desc.k = 128;
  desc.kh = desc.kw = 3;
  desc.padding_mode = CONV2D_SAME;
  desc.weights_layout = CONV2D_OIHW;
  conv2d_geometry g = conv2d_empty_geometry();
  must(conv2d_get_geometry(&desc, &g, &status));
  conv2d_pool* pool = NULL;
  must(conv2d_create_pool(2, &pool, &status));

  float *x = ones(g.x_size), *w = ones(g.w_size), *b = ones(desc.k), *y = ones(g.y_size), *dy = ones(g.y_size),
        *dx = ones(g.x_size);
  conv2d_tensors forward = conv2d_no_tensors();
  forward.x = (conv2d_input){x, g.x_size};
  forward.w = (conv2d_input){w, g.w_size};
  forward.b = (conv2d_input){b, desc.k};
  forward.out = (conv2d_output){y, g.y_size};
  run(&desc, CONV2D_FORWARD, forward, pool);
  conv2d_tensors backward = conv2d_no_tensors();
  backward.dy = (conv2d_input){dy, g.y_size};
  backward.w = (conv2d_input){w, g.w_size};
  backward.out = (conv2d_output){dx, g.x_size};
  run(&desc, CONV2D_BACKWARD_DATA, backward, pool);

  /* In the corner, only 2 x 2 of the 3 x 3 taps are inside x. */
  const int64_t corner = 0, middle = 14 * 28 + 14;
  printf("y: %g in the corner, %g in the middle\n", y[corner * desc.k], y[middle * desc.k]);
  printf("dx: %g in the corner, %g in the middle\n", dx[corner * desc.c], dx[middle * desc.c]);

  desc.stride_h = 0;
  const int32_t code = conv2d_get_geometry(&desc, &g, &status);
  printf("%s of %s: %s\n", conv2d_code_name(code), status.field, status.message);

  float* all[] = {x, w, b, y, dy, dx};
  for (size_t i = 0; i < sizeof all / sizeof all[0]; ++i) free(all[i]);
  conv2d_destroy_pool(pool);
  return 0;
}
