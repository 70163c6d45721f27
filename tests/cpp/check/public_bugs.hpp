#pragma once

#include <span>
#include <vector>

#include "check/layer_file.hpp"

/// Wrong results that people reported or asked about in public, rebuilt: the mistake of each thread as a program of
/// plain loops, with numbers and sizes of our own, and the arrays under the names that such programs have.
namespace conv2d_check::test {

struct PublicBug {
  const char* name;
  File (*file)();
  const char* tensor;  ///< the wrong one; the others of the file are right, except a dx beside a wrong dw
  Judgement judgement;
  const char* words;  ///< the name of the mistake; otherwise a part of the sentence
};

std::span<const PublicBug> public_bugs();

/// Right results that people took for wrong, or that a program without evidence takes for wrong.
std::vector<File> right_files();

}  // namespace conv2d_check::test
