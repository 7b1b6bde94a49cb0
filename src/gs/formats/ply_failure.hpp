// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <string_view>

namespace gs {

// How the PLY reader refuses a file (ply.cpp and ply_rows.cpp): see the list in ply.hpp.
struct PlyFailure {
  const std::string& file;
  std::string_view component;

  [[noreturn]] void fail(const char* problem, const std::string& why) const;
};

}  // namespace gs
