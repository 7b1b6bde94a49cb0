// SPDX-License-Identifier: Apache-2.0
#include "gs/formats/splat.hpp"

#include <string>
#include <vector>

#include "gs/core/error.hpp"
#include "gs/core/parallel.hpp"

namespace gs {
namespace {

constexpr size_t kRecordsPerBlock = size_t{1} << 13;  // 256 KiB

[[noreturn]] void fail(const std::string& name, const std::string& why) {
  throw Error({.code = ErrorCode::InputInvalid,
               .component = "splat",
               .message = "'" + name + "' is not a usable .splat file: " + why,
               .details = {{"file", name}},
               .suggestion = "Check that the file is complete, or export it again."});
}

}  // namespace

std::array<float, 4> SplatRecord::rotationXyzw() const {
  const auto component = [this](size_t i) {
    return (static_cast<float>(rotation[i]) - 128.f) / 128.f;
  };
  return {component(1), component(2), component(3), component(0)};
}

uint64_t countSplatRecords(const ByteSource& source) {
  if (source.size() == 0) fail(source.name(), "it is empty");
  if (source.size() % sizeof(SplatRecord) != 0)
    fail(source.name(),
         "its size of " + std::to_string(source.size()) + " bytes is no multiple of 32");
  return source.size() / sizeof(SplatRecord);
}

void readSplatRecords(
    const ByteSource& source,
    const std::function<void(uint64_t first, std::span<const SplatRecord> records)>& body) {
  parallelFor(countSplatRecords(source), kRecordsPerBlock, [&](size_t begin, size_t end) {
    std::vector<SplatRecord> records(end - begin);
    if (!source.readAt(begin * sizeof(SplatRecord), std::as_writable_bytes(std::span(records))))
      fail(source.name(), "it became shorter while it was read");
    body(begin, records);
  });
}

}  // namespace gs
