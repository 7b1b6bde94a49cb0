// SPDX-License-Identifier: Apache-2.0
#include "gs/bundle/lidar_rays.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <iterator>
#include <optional>

#include <fmt/format.h>

#include "gs/bundle/calibration.hpp"
#include "gs/core/find_number.hpp"

namespace gs {
namespace {

constexpr std::string_view kHeader = "azimuth_deg,elevation_deg,time_sec,ring";
constexpr size_t kMaxProblems = 10;

std::string_view takeLine(std::string_view& text) {
  const size_t end = text.find('\n');
  std::string_view line = text.substr(0, end);
  text.remove_prefix(end == text.npos ? text.size() : end + 1);
  if (line.ends_with('\r')) line.remove_suffix(1);
  return line;
}

std::string_view trimmed(std::string_view cell) {
  const size_t begin = cell.find_first_not_of(" \t");
  if (begin == cell.npos) return {};
  return cell.substr(begin, cell.find_last_not_of(" \t") - begin + 1);
}

// Four finite numbers and nothing else.
std::optional<std::array<double, 4>> numbersIn(std::string_view line) {
  std::array<double, 4> numbers;
  for (size_t i = 0; i < numbers.size(); ++i) {
    const size_t comma = line.find(',');
    if ((comma == line.npos) != (i + 1 == numbers.size())) return std::nullopt;
    const auto number = findNumber(trimmed(line.substr(0, comma)));
    if (!number) return std::nullopt;
    numbers[i] = *number;
    line.remove_prefix(comma == line.npos ? line.size() : comma + 1);
  }
  return numbers;
}

bool isHeader(std::string_view line) {
  std::string words;
  for (const char c : line.substr(0, 200))
    if (c != ' ' && c != '\t') words += c;
  return words == kHeader;
}

}  // namespace

LidarRayTable readLidarRays(std::string_view text, std::vector<LidarRayProblem>& problems) {
  using Kind = LidarRayProblem::Kind;
  LidarRayTable table;
  if (text.starts_with("\xef\xbb\xbf")) text.remove_prefix(3);  // what spreadsheets begin with
  if (!isHeader(takeLine(text))) {
    problems.push_back({Kind::Format, 1, fmt::format("is not '{}'", kHeader)});
    return table;
  }
  const size_t before = problems.size();
  for (int line = 2; !text.empty() && problems.size() < before + kMaxProblems; ++line) {
    const std::string_view row = takeLine(text);
    if (trimmed(row).empty()) continue;
    if (table.rows.size() == kMaxLidarRays) {
      problems.push_back({Kind::Count, line, fmt::format("has more than {} rays", kMaxLidarRays)});
      return table;
    }
    const auto numbers = numbersIn(row);
    if (!numbers) {
      problems.push_back({Kind::Format, line, "is not four numbers with commas between them"});
      return table;
    }
    const auto [azimuth, elevation, time, ring] = *numbers;
    if (std::abs(azimuth) > 360 || std::abs(elevation) > 90 || ring < 0 || ring > 65535 ||
        ring != std::floor(ring))
      problems.push_back(
          {Kind::Range, line,
           fmt::format("azimuth {}, elevation {} degrees, ring {}", azimuth, elevation, ring)});
    else if (time < 0 || (!table.rows.empty() && time < table.rows.back().time_sec))
      problems.push_back(
          {Kind::Time, line,
           fmt::format("{} s is not a time at or after that of the row above", time)});
    else table.rows.push_back({azimuth, elevation, time, static_cast<uint16_t>(ring)});
  }
  if (table.rows.empty() && problems.size() == before)
    problems.push_back({Kind::Count, 1, "has no rays"});
  return table;
}

std::string writeLidarRays(const LidarRayTable& table) {
  std::string text(kHeader);
  text += '\n';
  for (const auto& row : table.rows)
    fmt::format_to(std::back_inserter(text), "{},{},{},{}\n", row.azimuth_deg, row.elevation_deg,
                   row.time_sec, row.ring);
  return text;
}

size_t rayCount(const LidarSpec& spec, const LidarRayTable* table) {
  if (spec.pattern) return table ? table->rows.size() : 0;
  const double columns = std::round(360 / spec.horizontal_resolution_deg);
  if (!(columns >= 0 && columns <= static_cast<double>(kMaxLidarRays))) return 0;
  const double rays = columns * std::max(0, spec.channels);
  return rays <= static_cast<double>(kMaxLidarRays) ? static_cast<size_t>(rays) : kMaxLidarRays;
}

}  // namespace gs
