#include "support/golden.hpp"

namespace conv2d::test {

// The only source that knows the folder of the project: the objects of all others are equal in every clone.
Json golden(const std::string& name) { return Json::read(CONV2D_GOLDEN_DIR "/" + name); }

std::string choices_path() { return CONV2D_GOLDEN_DIR "/../problems/choices.json"; }

std::string digits_path() { return CONV2D_GOLDEN_DIR "/../../web/content/digits.txt"; }

}  // namespace conv2d::test
