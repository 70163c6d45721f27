#pragma once

#include "dcheck/dcheck.hpp"
#include "micro_kernels/clamp_impl.hpp"
#include "micro_kernels/winograd.hpp"
#include "simd/batch.hpp"

namespace conv2d::micro_kernels {

/// What a transform adds: nothing, WinogradTransform::start, or what is in `to` if WinogradTransform::accumulate.
enum class WinogradAdds { nothing, start, to };

/// The length of a column before and after a transform.
template <int kFromCells, int kToCells, WinogradAdds kAdded = WinogradAdds::nothing>
struct WinogradSides {
  static constexpr int kFrom = kFromCells, kTo = kToCells;
  static constexpr WinogradAdds kAdds = kAdded;
};

/// B^T, G, A^T and the transposed A and G^T of F(m, 3) applied to one column, for registers of `Arch`.
template <class Arch, int kOutputs>
struct WinogradColumns;

template <class Arch>
struct WinogradColumns<Arch, 2> {
  using Vector = simd::Floats<Arch>;

  struct Cells : WinogradSides<4, 4> {
    static void apply(const Vector* d, Vector* to) noexcept {
      to[0] = d[0] - d[2];
      to[1] = d[1] + d[2];
      to[2] = d[2] - d[1];
      to[3] = d[1] - d[3];
    }
  };
  struct Weights : WinogradSides<3, 4> {
    static void apply(const Vector* g, Vector* to) noexcept {
      const Vector half = simd::broadcast<Arch>(0.5F);
      const Vector outer = (g[0] + g[2]) * half, inner = g[1] * half;
      to[0] = g[0];
      to[1] = outer + inner;
      to[2] = outer - inner;
      to[3] = g[2];
    }
  };
  struct Outputs : WinogradSides<4, 2, WinogradAdds::start> {
    static void apply(const Vector* m, Vector* to) noexcept {
      to[0] = m[0] + m[1] + m[2];
      to[1] = m[1] - m[2] - m[3];
    }
  };
  struct Gradients : WinogradSides<2, 4> {
    static void apply(const Vector* u, Vector* to) noexcept {
      to[0] = u[0];
      to[1] = u[0] + u[1];
      to[2] = u[0] - u[1];
      to[3] = simd::broadcast<Arch>(0.0F) - u[1];
    }
  };
  struct WeightsOf : WinogradSides<4, 3, WinogradAdds::to> {
    static void apply(const Vector* m, Vector* to) noexcept {
      const Vector half = simd::broadcast<Arch>(0.5F);
      const Vector sum = (m[1] + m[2]) * half;
      to[0] = m[0] + sum;
      to[1] = (m[1] - m[2]) * half;
      to[2] = sum + m[3];
    }
  };
};

template <class Arch>
struct WinogradColumns<Arch, 4> {
  using Vector = simd::Floats<Arch>;
  static Vector times(float factor, Vector a, Vector b) noexcept {
    return simd::multiply_add<Arch>(simd::broadcast<Arch>(factor), a, b);
  }

  struct Cells : WinogradSides<6, 6> {
    static void apply(const Vector* d, Vector* to) noexcept {
      const Vector even = times(-4, d[2], d[4]), odd = times(-4, d[1], d[3]);
      const Vector near = d[4] - d[2], far = d[3] - d[1];
      to[0] = times(4, d[0], times(-5, d[2], d[4]));
      to[1] = even + odd;
      to[2] = even - odd;
      to[3] = times(2, far, near);
      to[4] = times(-2, far, near);
      to[5] = times(4, d[1], times(-5, d[3], d[5]));
    }
  };
  struct Weights : WinogradSides<3, 6> {
    static void apply(const Vector* g, Vector* to) noexcept {
      const Vector sixth = simd::broadcast<Arch>(1.0F / 6);
      const Vector outer = (g[0] + g[2]) * sixth, inner = g[1] * sixth;
      const Vector far = times(0.25F, g[0], g[2]) * sixth, near = simd::broadcast<Arch>(0.5F) * inner;
      to[0] = g[0] * simd::broadcast<Arch>(0.25F);
      to[1] = simd::broadcast<Arch>(0.0F) - outer - inner;
      to[2] = inner - outer;
      to[3] = far + near;
      to[4] = far - near;
      to[5] = g[2];
    }
  };
  struct Outputs : WinogradSides<6, 4, WinogradAdds::start> {
    static void apply(const Vector* m, Vector* to) noexcept {
      const Vector sum_1 = m[1] + m[2], difference_1 = m[1] - m[2];
      const Vector sum_2 = m[3] + m[4], difference_2 = m[3] - m[4];
      to[0] = m[0] + sum_1 + sum_2;
      to[1] = times(2, difference_2, difference_1);
      to[2] = times(4, sum_2, sum_1);
      to[3] = times(8, difference_2, difference_1) + m[5];
    }
  };
  struct Gradients : WinogradSides<4, 6> {
    static void apply(const Vector* u, Vector* to) noexcept {
      const Vector even_1 = u[0] + u[2], odd_1 = u[1] + u[3];
      const Vector even_2 = times(4, u[2], u[0]), odd_2 = times(4, u[3], u[1]);
      to[0] = u[0];
      to[1] = even_1 + odd_1;
      to[2] = even_1 - odd_1;
      to[3] = times(2, odd_2, even_2);
      to[4] = times(-2, odd_2, even_2);
      to[5] = u[3];
    }
  };
  struct WeightsOf : WinogradSides<6, 3, WinogradAdds::to> {
    static void apply(const Vector* m, Vector* to) noexcept {
      const Vector sixth = simd::broadcast<Arch>(1.0F / 6), twelfth = simd::broadcast<Arch>(1.0F / 12);
      const Vector sum_1 = (m[1] + m[2]) * sixth, sum_2 = (m[3] + m[4]) * sixth;
      to[0] = times(0.25F, m[0] + sum_2, simd::broadcast<Arch>(0.0F) - sum_1);
      to[1] = (m[2] - m[1]) * sixth + (m[3] - m[4]) * twelfth;
      to[2] = sum_2 - sum_1 + m[5];
    }
  };
};

/// First the columns, into memory, then the rows. The loops are not unrolled: the squares do not fit into the
/// registers, and unrolling makes the module larger. Contract in winograd.hpp; never inlined, for the reason given at
/// window_tile.
template <class Arch, class Columns>
[[gnu::noinline]] void winograd_transform(const WinogradTransform& t) noexcept {
  using Vector = simd::Floats<Arch>;
  constexpr int kLanes = simd::kLanes<Arch>;
  CONV2D_DCHECK(t.count >= 0 && t.count % kLanes == 0);
  CONV2D_DCHECK(t.count == 0 || (t.from && t.to && (t.start || Columns::kAdds != WinogradAdds::start)));
  for (std::ptrdiff_t i = 0; i < t.count; i += kLanes) {
    alignas(64) float half_way[Columns::kTo * Columns::kFrom * kLanes];
    const float* from = t.from + i;
#pragma GCC unroll 1
    for (int col = 0; col < Columns::kFrom; ++col) {
      Vector in[Columns::kFrom], out[Columns::kTo];
#pragma GCC unroll 8
      for (int row = 0; row < Columns::kFrom; ++row) in[row] = simd::load<Arch>(from + row * t.from_row);
      Columns::apply(in, out);
#pragma GCC unroll 8
      for (int row = 0; row < Columns::kTo; ++row) {
        simd::store<Arch>(half_way + (row * Columns::kFrom + col) * kLanes, out[row]);
      }
      from += t.from_col;
    }
    float* to = t.to + i;
#pragma GCC unroll 1
    for (int row = 0; row < Columns::kTo; ++row) {
      Vector in[Columns::kFrom], out[Columns::kTo];
#pragma GCC unroll 8
      for (int col = 0; col < Columns::kFrom; ++col) {
        in[col] = simd::load<Arch>(half_way + (row * Columns::kFrom + col) * kLanes);
      }
      Columns::apply(in, out);
      if constexpr (Columns::kAdds == WinogradAdds::start) {
#pragma GCC unroll 8
        for (int col = 0; col < Columns::kTo; ++col) out[col] = out[col] + simd::load<Arch>(t.start + i);
        clamp_registers<Arch, Columns::kTo>(t.clamp, out);
      }
#pragma GCC unroll 8
      for (int col = 0; col < Columns::kTo; ++col) {
        if constexpr (Columns::kAdds == WinogradAdds::to) {
          if (t.accumulate) out[col] = out[col] + simd::load<Arch>(to + col * t.to_col);
        }
        simd::store<Arch>(to + col * t.to_col, out[col]);
      }
      to += t.to_row;
    }
  }
}

template <class Arch, int kOutputs>
constexpr WinogradKernels winograd_kernels() noexcept {
  using Columns = WinogradColumns<Arch, kOutputs>;
  return {.outputs = kOutputs,
          .cells = winograd_transform<Arch, typename Columns::Cells>,
          .weights = winograd_transform<Arch, typename Columns::Weights>,
          .outputs_of = winograd_transform<Arch, typename Columns::Outputs>,
          .gradients = winograd_transform<Arch, typename Columns::Gradients>,
          .weights_of = winograd_transform<Arch, typename Columns::WeightsOf>};
}

}  // namespace conv2d::micro_kernels
