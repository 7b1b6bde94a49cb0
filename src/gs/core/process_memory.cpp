// SPDX-License-Identifier: Apache-2.0
#include "gs/core/process_memory.hpp"

#include <fstream>
#include <string>
#include <sys/resource.h>

namespace gs {

size_t peakMemory() {
  struct rusage usage {};
  return ::getrusage(RUSAGE_SELF, &usage) == 0 ? static_cast<size_t>(usage.ru_maxrss) << 10 : 0;
}

size_t availableMemory() {
  std::ifstream file("/proc/meminfo");
  std::string key, unit;
  size_t kilobytes = 0;
  while (file >> key >> kilobytes >> unit)
    if (key == "MemAvailable:") return kilobytes << 10;
  return 0;
}

}  // namespace gs
