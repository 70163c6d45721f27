// Threads of OpenMP in place of conv2d::ThreadPool. The number of threads changes no bit of a result.

#include <conv2d/conv2d.hpp>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <vector>

void must(const conv2d::Status& status) {
  if (status.ok()) return;
  std::fprintf(stderr, "%s\n", status.message.c_str());
  std::exit(1);
}

// With this schedule, i = 0 runs on the calling thread, and all i run even if OpenMP has fewer threads.
void run_team(void*, int count, void (*task)(void* argument, int i) noexcept, void* argument) noexcept {
#pragma omp parallel for schedule(static, 1) num_threads(count)
  for (int i = 0; i < count; ++i) task(argument, i);
}

int main() {
  const conv2d::ConvDesc desc{
      .h = 56, .w = 56, .c = 64, .k = 64, .kh = 3, .kw = 3, .padding_mode = conv2d::PaddingMode::same};
  std::vector<std::vector<float>> results;
  for (const int threads : {1, 4}) {
    const conv2d::Team team{.threads = threads, .run = run_team};
    const auto plan = conv2d::plan(desc, conv2d::Pass::forward, {.threads = team.threads});
    must(plan.status());
    const conv2d::Geometry& g = plan->geometry();
    std::vector<float> x(g.x_size), w(g.w_size), y(g.y_size), workspace(plan->workspace_floats());
    for (std::size_t i = 0; i < x.size(); ++i) x[i] = static_cast<float>(i % 7) / 7;
    for (std::size_t i = 0; i < w.size(); ++i) w[i] = static_cast<float>(i % 5) / 5;
    must(conv2d::forward(*plan, x, w, {}, y, {.workspace = workspace, .team = team}));
    std::printf("a team of %d: the plan uses %d\n", team.threads, plan->threads());
    results.push_back(y);
  }
  const bool same = std::memcmp(results[0].data(), results[1].data(), results[0].size() * sizeof(float)) == 0;
  std::printf("the results have %s\n", same ? "the same bits" : "different bits");
  return same ? 0 : 1;
}
