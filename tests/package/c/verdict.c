#include <conv2d.h>
#include <stdio.h>

/* db of a program that takes the mean over 4 images, where the gradient is their sum. */
int main(void) {
  conv2d_desc desc = conv2d_default_desc();
  desc.n = 4;
  desc.k = 2;
  const float dy[] = {1, 5, 2, 6, 3, 7, 4, 9};
  const float db[] = {10.0F / 4, 27.0F / 4};
  conv2d_judged judged = conv2d_nothing_judged();
  judged.dy = (conv2d_elements){dy, 8, CONV2D_FLOAT32, 0};
  judged.result = (conv2d_elements){db, 2, CONV2D_FLOAT32, 0};

  conv2d_status status;
  conv2d_verdict* verdict = NULL;
  conv2d_verdict_info info = conv2d_empty_verdict_info();
  if (conv2d_judge(&desc, CONV2D_BACKWARD_BIAS, &judged, &verdict, &status) != CONV2D_OK ||
      conv2d_get_verdict_info(verdict, &info, &status) != CONV2D_OK) {
    fprintf(stderr, "%s\n", status.message);
    return 1;
  }
  printf("%s\n", info.sentence);
  conv2d_destroy_verdict(verdict);
  return info.judgement == CONV2D_MATCHES ? 1 : 0;
}
