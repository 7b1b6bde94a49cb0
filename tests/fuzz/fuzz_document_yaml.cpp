// SPDX-License-Identifier: Apache-2.0
#include "gs/bundle/heightmap_file.hpp"
#include "gs/core/document.hpp"
#include "gs/core/error.hpp"
#include "gs/core/read_fields.hpp"

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  try {
    const std::string_view text(reinterpret_cast<const char*>(data), size);
    std::vector<gs::Problem> problems;
    const auto root = gs::parseDocument(text, gs::DocumentFormat::Yaml, problems);
    if (root) gs::readFields<gs::HeightmapMeta>(*root, problems);
    for (const gs::Problem& problem : problems) toString(problem);
  } catch (const gs::Error&) {
  }
  return 0;
}
