// SPDX-License-Identifier: Apache-2.0
#include "gs_builder/moving_points.hpp"

#include <charconv>

#include <fmt/format.h>

#include "gs/core/error.hpp"
#include "gs/core/file.hpp"

namespace gs_builder {
namespace fs = std::filesystem;

MovingPoints parseMovingPoints(std::string_view text, const std::string& name) {
  MovingPoints points;
  size_t number = 0;
  while (!text.empty()) {
    ++number;
    const size_t end = std::min(text.find('\n'), text.size());
    const std::string_view line = text.substr(0, end);
    text.remove_prefix(std::min(end + 1, text.size()));
    if (line.empty()) continue;
    gs::Stamp stamp;
    auto at = std::from_chars(line.data(), line.data() + line.size(), stamp.ns);
    std::vector<uint32_t>& indices = points[stamp];
    while (at.ec == std::errc() && at.ptr != line.data() + line.size()) {
      uint32_t index = 0;
      if (*at.ptr != ',') at.ec = std::errc::invalid_argument;
      else at = std::from_chars(at.ptr + 1, line.data() + line.size(), index);
      indices.push_back(index);
    }
    if (at.ec != std::errc())
      throw gs::Error({.code = gs::ErrorCode::InputInvalid,
                       .component = "moving_points",
                       .message = fmt::format("{}:{}: not a stamp and indices", name, number),
                       .details = {{"file", name}, {"line", static_cast<int64_t>(number)}},
                       .suggestion = "Run geometry_builder again."});
  }
  return points;
}

std::map<std::string, MovingPoints> readMovingPoints(const fs::path& folder) {
  std::map<std::string, MovingPoints> all;
  std::error_code why;
  for (fs::directory_iterator entry(folder, why), end; !why && entry != end; entry.increment(why))
    if (entry->path().extension() == ".csv")
      all[entry->path().stem().string()] = parseMovingPoints(
          gs::readTextFile(entry->path(), uint64_t{1} << 30), entry->path().string());
  return all;
}

}  // namespace gs_builder
