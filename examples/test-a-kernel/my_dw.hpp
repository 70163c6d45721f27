#pragma once

struct Sizes {
  int n, h, w, c, k, kh, kw, stride_h, stride_w, dilation_h, dilation_w, groups, pad_top, pad_left, oh, ow;
};

/// x [n,c,h,w], dy [n,k,oh,ow] -> dw [k,c/groups,kh,kw]
void my_dw(const Sizes& sizes, const float* x, const float* dy, float* dw);
