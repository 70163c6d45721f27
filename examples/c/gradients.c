/* y, dx and dw of a 3 x 3 image with a 2 x 2 kernel, small enough to check by hand. */

#include <conv2d.h>
#include <stdio.h>
#include <stdlib.h>

static void must(int32_t code, const conv2d_status* status) {
  if (code == CONV2D_OK) return;
  fprintf(stderr, "%s of %s: %s\n", conv2d_code_name(code), status->field, status->message);
  exit(1);
}

static void run(const conv2d_desc* desc, int32_t pass, conv2d_tensors tensors) {
  conv2d_status status;
  conv2d_plan* plan = NULL;
  conv2d_plan_info info = conv2d_empty_plan_info();
  must(conv2d_create_plan(desc, pass, NULL, &plan, &status), &status);
  must(conv2d_get_plan_info(plan, &info, &status), &status);
  float* workspace = malloc((size_t)info.workspace_floats * sizeof(float) + 1);
  if (!workspace) abort();
  tensors.workspace = (conv2d_output){workspace, info.workspace_floats};
  must(conv2d_run(plan, &tensors, NULL, &status), &status);
  free(workspace);
  conv2d_destroy_plan(plan);
}

static void print(const char* name, const float* values, int count) {
  printf("%-2s", name);
  for (int i = 0; i < count; ++i) printf(" %g", values[i]);
  putchar('\n');
}

int main(void) {
  conv2d_desc desc = conv2d_default_desc();
  desc.h = desc.w = 3;
  desc.kh = desc.kw = 2;
  const float x[9] = {1, 2, 3, 4, 5, 6, 7, 8, 9};
  const float w[4] = {1, 2, 3, 4};
  const float dy[4] = {1, 0, 0, 1}; /* of the first and the last window */
  float y[4], dx[9], dw[4];

  conv2d_tensors tensors = conv2d_no_tensors();
  tensors.x = (conv2d_input){x, 9};
  tensors.w = (conv2d_input){w, 4};
  tensors.dy = (conv2d_input){dy, 4};
  tensors.out = (conv2d_output){y, 4};
  run(&desc, CONV2D_FORWARD, tensors);
  print("y", y, 4); /* the first: 1*1 + 2*2 + 4*3 + 5*4 = 37 */
  tensors.out = (conv2d_output){dx, 9};
  run(&desc, CONV2D_BACKWARD_DATA, tensors);
  print("dx", dx, 9); /* w at the top left, plus w at the bottom right; 4 + 1 in the middle */
  tensors.out = (conv2d_output){dw, 4};
  run(&desc, CONV2D_BACKWARD_WEIGHTS, tensors);
  print("dw", dw, 4); /* the first window of x plus the last: 1 + 5, 2 + 6, 4 + 8, 5 + 9 */
  return 0;
}
