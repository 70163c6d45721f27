// The kernel to be tested: dw of a grouped convolution in NCHW, as plain loops. Replace it with yours.

#include "my_dw.hpp"

void my_dw(const Sizes& s, const float* x, const float* dy, float* dw) {
  const int group_c = s.c / s.groups, group_k = s.k / s.groups;
#ifdef WITH_BUG
  const int stride_h = s.groups > 1 ? 1 : s.stride_h, stride_w = s.groups > 1 ? 1 : s.stride_w;
#else
  const int stride_h = s.stride_h, stride_w = s.stride_w;
#endif
  for (int k = 0; k < s.k; ++k)
    for (int c = 0; c < group_c; ++c)
      for (int p = 0; p < s.kh; ++p)
        for (int q = 0; q < s.kw; ++q) {
          float sum = 0;
          for (int n = 0; n < s.n; ++n)
            for (int i = 0; i < s.oh; ++i)
              for (int j = 0; j < s.ow; ++j) {
                const int row = i * stride_h + p * s.dilation_h - s.pad_top;
                const int col = j * stride_w + q * s.dilation_w - s.pad_left;
                if (row < 0 || row >= s.h || col < 0 || col >= s.w) continue;
                const int channel = k / group_k * group_c + c;
                sum += x[((n * s.c + channel) * s.h + row) * s.w + col] * dy[((n * s.k + k) * s.oh + i) * s.ow + j];
              }
          dw[((k * group_c + c) * s.kh + p) * s.kw + q] = sum;
        }
}
