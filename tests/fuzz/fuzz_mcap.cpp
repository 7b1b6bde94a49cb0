// SPDX-License-Identifier: Apache-2.0
#include <cstdlib>

#include "gs/core/error.hpp"
#include "gs/formats/mcap_parse.hpp"
#include "gs/formats/mcap_reader.hpp"

// Any bytes at all: the reader goes through them or says what is wrong, and what it counts is in
// order of time. The strict visitor must not crash either.
extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  const gs::Bytes bytes = std::as_bytes(std::span(data, size));
  try {
    const gs::LogReader reader(gs::openMemory(bytes), {.on_problem = [](const auto&) {}});
    uint64_t count = 0;
    reader.read({}, [&count](const gs::LogMessage& message) {
      if (message.topic.name.size() + message.data.size() + 1 > 0) ++count;
    });
    if (!reader.summary().is_indexed && count > reader.summary().message_count) std::abort();
  } catch (const gs::Error&) {
  }
  try {
    gs::visitMcapRecords(*gs::openMemory(bytes), [](const gs::McapRecord&) {});
  } catch (const gs::Error&) {
  }
  return 0;
}
