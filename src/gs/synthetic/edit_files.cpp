// SPDX-License-Identifier: Apache-2.0
#include "gs/synthetic/edit_files.hpp"

#include <cstring>

#include "gs/core/check.hpp"
#include "gs/core/file.hpp"

namespace gs::edit {
namespace fs = std::filesystem;
namespace {

constexpr uint64_t kMaxBytes = uint64_t{1} << 30;

}  // namespace

void replaceText(const fs::path& file, std::string_view from, std::string_view to) {
  std::string text = readTextFile(file, kMaxBytes);
  const size_t at = text.find(from);
  GS_CHECK(at != std::string::npos);
  text.replace(at, from.size(), to);
  writeText(file, text);
}

void removeLine(const fs::path& file, std::string_view containing) {
  std::string text = readTextFile(file, kMaxBytes);
  const size_t at = text.find(containing);
  GS_CHECK(at != std::string::npos);
  const size_t begin = text.rfind('\n', at) + 1;  // npos + 1 is the start of the file
  text.erase(begin, text.find('\n', at) + 1 - begin);
  writeText(file, text);
}

void writeText(const fs::path& file, std::string_view text) { writeFileAtomically(file, text); }

void appendText(const fs::path& file, std::string_view text) {
  writeText(file, readTextFile(file, kMaxBytes) + std::string(text));
}

void truncateBy(const fs::path& file, uint64_t bytes) {
  GS_CHECK(fs::file_size(file) > bytes);
  fs::resize_file(file, fs::file_size(file) - bytes);
}

void extendTo(const fs::path& file, uint64_t bytes) {
  GS_CHECK(fs::file_size(file) < bytes);
  fs::resize_file(file, bytes);
}

void setFloat(const fs::path& file, uint64_t offset, uint64_t index, float value) {
  std::string bytes = readTextFile(file, kMaxBytes);
  GS_CHECK((offset + (index + 1) * sizeof value) <= bytes.size());
  std::memcpy(bytes.data() + offset + index * sizeof value, &value, sizeof value);
  writeText(file, bytes);
}

uint64_t plyHeaderSize(const fs::path& file) {
  constexpr std::string_view kEnd = "end_header\n";
  const size_t at = readTextFile(file, kMaxBytes).find(kEnd);
  GS_CHECK(at != std::string::npos);
  return at + kEnd.size();
}

}  // namespace gs::edit
