// SPDX-License-Identifier: Apache-2.0
// Any text, taken as each of the builder's configuration files: problems, never a crash. The kind
// is also recognised and counted, and a text without problems must still be usable when written
// out and read again.
#include <cstdint>
#include <string_view>

#include "gs/core/check.hpp"
#include "gs/core/error.hpp"
#include "gs_builder/config.hpp"

namespace {

template <typename X>
void readAs(std::string_view text) {
  gs::ConfigDocument document = gs::parseConfigDocument(text, "config.yaml");
  // Names in a fuzzer's text must not send it looking around the disk.
  const X config = gs::readConfig<X>(document, gs::NamedFiles::AreNotChecked);
  if (!document.problems.empty()) {
    gs::configError(document.file, document.problems);
    return;
  }
  gs::ConfigDocument again =
      gs::parseConfigDocument(gs::toYamlText(gs::toJson(config)), "config.yaml");
  gs::readConfig<X>(again, gs::NamedFiles::AreNotChecked);
  GS_CHECK(again.problems.empty());
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  const std::string_view text(reinterpret_cast<const char*>(data), size);
  try {
    readAs<gs_builder::PipelineConfig>(text);
    readAs<gs_builder::TrainingConfig>(text);
    readAs<gs_builder::GeometryConfig>(text);
    const gs::ConfigDocument document = gs::parseConfigDocument(text, "config.yaml");
    if (!document.root) return 0;
    if (const auto kind = gs_builder::recogniseKind(*document.root, document.file))
      gs_builder::countKeys(*document.root, *kind);
  } catch (const gs::Error&) {
  }
  return 0;
}
