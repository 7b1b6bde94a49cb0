// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <filesystem>
#include <string>
#include <string_view>

#include "gs/core/bytes.hpp"

// Small, deliberate damage to the files of a bundle. Each ends the program when the file does not
// contain what it is told to change: a broken bundle that is not broken would test nothing.
namespace gs::edit {

void replaceText(const std::filesystem::path& file, std::string_view from, std::string_view to);
void removeLine(const std::filesystem::path& file, std::string_view containing);
void writeText(const std::filesystem::path& file, std::string_view text);
void appendText(const std::filesystem::path& file, std::string_view text);
void truncateBy(const std::filesystem::path& file, uint64_t bytes);
void extendTo(const std::filesystem::path& file, uint64_t bytes);  // sparse: costs no disk
// Float number `index` of the binary values that follow `offset` bytes.
void setFloat(const std::filesystem::path& file, uint64_t offset, uint64_t index, float value);
// Bytes up to and including "end_header\n".
uint64_t plyHeaderSize(const std::filesystem::path& file);

}  // namespace gs::edit
