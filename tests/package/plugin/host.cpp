// Opens the shared object that its argument names, and prints what it computes.

#include <dlfcn.h>

#include <cstdio>

int main(int count, char** arguments) {
  void* plugin = count == 2 ? dlopen(arguments[1], RTLD_NOW | RTLD_LOCAL) : nullptr;
  void* function = plugin ? dlsym(plugin, "middle_of_ones") : nullptr;
  if (!function) {
    std::fprintf(stderr, "%s\n", plugin ? "no function middle_of_ones" : dlerror());
    return 1;
  }
  std::printf("%g\n", reinterpret_cast<float (*)()>(function)());
}
