#include "conv2d_check/samples.hpp"

#include <catch2/catch_test_macros.hpp>
#include <cmath>
#include <map>
#include <set>
#include <string>
#include <vector>

#include "check/plain_kernel.hpp"
#include "conv2d/conv2d.hpp"
#include "mistakes/mistake.hpp"
#include "support/environment.hpp"

using namespace conv2d;
using namespace conv2d::test;
using conv2d_check::Judgement;
using conv2d_check::Report;
using conv2d_check::Sample;
using conv2d_check::samples;

namespace {

constexpr Pass kPasses[]{Pass::forward, Pass::backward_data, Pass::backward_weights, Pass::backward_bias};

std::vector<float> right_result(const Sample& sample) {
  std::vector<float> result(sample.expected.size());
  plain_kernel(sample, result.data());
  return result;
}

}  // namespace

TEST_CASE("samples: a plain kernel is right in all of them") {
  for (const Pass pass : kPasses) {
    Report report;
    for (const Sample& sample : samples(pass)) {
      auto out = sample.output();
      plain_kernel(sample, out.data());
      const auto verdict = sample.judge(out);
      INFO(to_string(pass) << ", " << sample.name);
      CHECK(verdict);
      CHECK(verdict.format == "float32");
      CHECK(std::vector<float>(out.span().begin(), out.span().end()) == sample.expected);
      report.add(sample, verdict);
    }
    CHECK(report);
    CHECK(report.sentence().starts_with("All 200"));
  }
}

TEST_CASE("samples: every mistake of the table shows") {
  for (const Pass pass : kPasses) {
    std::set<std::string> applied, found;
    for (const Sample& sample : samples(pass)) {
      const Geometry g = resolve(sample.desc).value();
      const mistakes::Inputs in{.x = sample.x, .w = sample.w, .b = sample.b, .dy = sample.dy};
      for (const mistakes::Mistake& mistake : mistakes::list()) {
        const std::string name(mistake.name);
        for (int variant = 0; variant < mistake.variants(g, pass); ++variant) {
          applied.insert(name);
          if (found.contains(name)) continue;
          std::vector<float> wrong;
          for (const auto& cell : mistakes::compute(g, pass, in, &mistake, variant))
            wrong.push_back(static_cast<float>(cell.sum));
          if (wrong == sample.expected) continue;
          const auto verdict = sample.judge(wrong);
          INFO(to_string(pass) << ", " << sample.name << ", " << name << ": " << verdict.sentence);
          CHECK(!verdict);
          if (std::ranges::find(verdict.names, name) != verdict.names.end()) found.insert(name);
        }
      }
    }
    INFO(to_string(pass));
    CHECK(found == applied);
  }
}

TEST_CASE("samples: layers without weights") {
  using conv2d_check::Layer;
  for (const Layer layer : {Layer::relu, Layer::max_pool, Layer::average_pool}) {
    for (const Pass pass : {Pass::forward, Pass::backward_data}) {
      for (const Sample& sample : samples(pass, {.layer = layer, .count = 40})) {
        CHECK(sample.judge(sample.expected));
        std::vector<float> wrong = sample.expected;
        wrong.front() += 1;
        CHECK_FALSE(sample.judge(wrong));
      }
    }
  }
}

TEST_CASE("samples: values of 16 bits") {
  for (const Sample& sample : samples(Pass::backward_data, {.count = 60})) {
    INFO(sample.name);
    const auto x16 = conv2d_check::to_bfloat16(sample.expected), h16 = conv2d_check::to_float16(sample.expected);
    CHECK(sample.judge(conv2d_check::Elements::bfloat16(x16)).judgement != Judgement::differs);
    CHECK(sample.judge(conv2d_check::Elements::float16(h16)));
  }
}

TEST_CASE("samples: the report names what wrong geometries have in common") {
  Report report;
  for (const Sample& sample : samples(Pass::backward_weights)) {
    auto dw = right_result(sample);
    const bool is_wrong = sample.desc.groups > 1 && (sample.desc.stride_h > 1 || sample.desc.stride_w > 1);
    if (is_wrong) dw.front() += 1;
    report.add(sample, sample.judge(dw));
  }
  CHECK_FALSE(report);
  INFO(report.sentence());
  CHECK(report.sentence().find("It is wrong with stride > 1 and groups > 1.") != std::string::npos);
}

TEST_CASE("samples: the report of scattered and of only wrong results") {
  Report scattered, all;
  int count = 0;
  for (const Sample& sample : samples(Pass::backward_bias)) {
    auto db = right_result(sample);
    if (++count % 7 == 0) db.front() += 1;
    scattered.add(sample, sample.judge(db));
    db.front() += 5;
    all.add(sample, sample.judge(db));
  }
  CHECK(scattered.sentence().find("no property in common") != std::string::npos);
  CHECK(all.sentence().starts_with("All 200 db are wrong."));
  CHECK(Report().sentence() == "No y was judged.");
}

TEST_CASE("samples: a kernel that writes outside or leaves cells is found") {
  const Sample sample = samples(Pass::forward, {.count = 1}).front();
  auto out = sample.output();
  CHECK(out.outside().empty());
  CHECK(std::isnan(out.data()[0]));
  plain_kernel(sample, out.data());
  out.data()[3] = sample.output().data()[0];
  CHECK(sample.judge(out).judgement == Judgement::partly_wrong);
  plain_kernel(sample, out.data());
  out.data()[-1] = 0;
  out.data()[out.size()] = 0;
  const auto verdict = sample.judge(out);
  CHECK_FALSE(verdict);
  CHECK(verdict.sentence ==
        "The kernel wrote outside of its result: 1 element before the start and 1 element after the end.");
}
