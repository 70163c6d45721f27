#include <conv2d.h>
#include <stdio.h>

/* The arrays of a layer of another program. Its db is a mean. Nothing describes the layer. */
int main(void) {
  const float x[] = {1, 2, 0, 4, 5, 6, 7, 8, 3};
  const float w[] = {1, 0, 0, 2};
  const float y[] = {11, 14, 20, 11};
  const float dy[] = {1, 2, 3, 5};
  const float dw[] = {42, 47, 75, 56};
  const float db[] = {11.0F / 4};
  const int64_t x_shape[] = {1, 1, 3, 3}, shape[] = {1, 1, 2, 2}, db_shape[] = {1};
  const conv2d_array arrays[] = {
      {"x", x_shape, 4, {x, 9, CONV2D_FLOAT32, 0}, 0, 0}, {"w", shape, 4, {w, 4, CONV2D_FLOAT32, 0}, 0, 0},
      {"y", shape, 4, {y, 4, CONV2D_FLOAT32, 0}, 0, 0},   {"dy", shape, 4, {dy, 4, CONV2D_FLOAT32, 0}, 0, 0},
      {"dw", shape, 4, {dw, 4, CONV2D_FLOAT32, 0}, 0, 0}, {"db", db_shape, 1, {db, 1, CONV2D_FLOAT32, 0}, 0, 0},
  };
  conv2d_judged_arrays judged = conv2d_no_judged_arrays();
  judged.arrays = arrays;
  judged.array_count = 6;

  conv2d_status status;
  conv2d_arrays_verdict* verdict = NULL;
  conv2d_arrays_info info = conv2d_empty_arrays_info();
  if (conv2d_judge_arrays(&judged, &verdict, &status) != CONV2D_OK ||
      conv2d_get_arrays_info(verdict, &info, &status) != CONV2D_OK) {
    fprintf(stderr, "%s\n", status.message);
    return 1;
  }
  printf("%s\n%s\n", info.sentence, info.json);
  conv2d_destroy_arrays_verdict(verdict);

  judged.array_count = -1;
  conv2d_judge_arrays(&judged, &verdict, &status);
  printf("%s of %s: %s\n", conv2d_code_name(status.code), status.field, status.message);
  return info.verdict == CONV2D_WRONG ? 0 : 1;
}
