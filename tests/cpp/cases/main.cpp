// conv2d_cases DIR...: runs every case file of the folders through every algorithm; exit code 1 if any failed.

#include <algorithm>
#include <cstdio>
#include <filesystem>
#include <string>
#include <vector>

#include "cases/run_case.hpp"
#if !defined(__EMSCRIPTEN__) || defined(__EMSCRIPTEN_PTHREADS__)
#include "conv2d/thread_pool.hpp"
#endif

namespace {

using namespace conv2d::test;

struct Totals {
  int passed = 0, failed = 0;
  std::int64_t comparisons = 0;
};

/// Two threads if the build has threads; otherwise both parts run on this one.
conv2d::Team two_threads() {
#if !defined(__EMSCRIPTEN__) || defined(__EMSCRIPTEN_PTHREADS__)
  static conv2d::ThreadPool pool(2);
  return pool.team();
#else
  return {};
#endif
}

CaseReport run_file(const std::string& path) {
  try {
    const Json json = Json::read(path);
    if (is_invalid_case(json)) return run_invalid_case(read_invalid_case(json));
    return run_valid_case(read_valid_case(json), two_threads());
  } catch (const std::exception& error) {
    return {.failures = {std::string("cannot be read as a case: ") + error.what()}};
  }
}

/// The case files of a folder, sorted by name. Throws if the folder cannot be read.
std::vector<std::filesystem::path> case_files(const std::string& folder) {
  std::vector<std::filesystem::path> files;
  for (const auto& entry : std::filesystem::directory_iterator(folder)) {
    const std::filesystem::path& path = entry.path();
    if (path.extension() == ".json" && path.filename() != "index.json") files.push_back(path);
  }
  std::ranges::sort(files);
  return files;
}

void fail(Totals& totals, const std::string& name, const std::string& reason) {
  ++totals.failed;
  std::printf("FAIL %s\n     %s\n", name.c_str(), reason.c_str());
}

void run_folder(const std::string& folder, Totals& totals) {
  std::vector<std::filesystem::path> files;
  try {
    files = case_files(folder);
  } catch (const std::exception& error) {
    return fail(totals, folder, error.what());
  }
  if (files.empty()) return fail(totals, folder, "no case files");
  for (const std::filesystem::path& path : files) {
    const CaseReport report = run_file(path.string());
    totals.comparisons += report.comparisons;
    if (report.failures.empty()) {
      ++totals.passed;
      continue;
    }
    std::string lines = report.failures.front();
    for (std::size_t i = 1; i < report.failures.size(); ++i) lines += "\n     " + report.failures[i];
    fail(totals, path.filename().string(), lines);
  }
}

}  // namespace

int main(int argc, char** argv) {
  if (argc < 2) {
    std::fprintf(stderr, "usage: conv2d_cases DIR...\n");
    return 2;
  }
  Totals totals;
  for (int i = 1; i < argc; ++i) run_folder(argv[i], totals);
  std::printf("%lld results of algorithms and refusals compared\n", static_cast<long long>(totals.comparisons));
  std::printf("%d passed, %d failed\n", totals.passed, totals.failed);
  return totals.failed == 0 ? 0 : 1;
}
