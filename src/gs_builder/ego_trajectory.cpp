// SPDX-License-Identifier: Apache-2.0
#include "gs_builder/ego_trajectory.hpp"

#include <algorithm>
#include <array>
#include <cmath>

#include <fmt/format.h>

#include "gs/core/error.hpp"
#include "gs/core/file.hpp"
#include "gs/core/find_number.hpp"

namespace gs_builder {
namespace {

constexpr gs::Duration kMinStep{1'000'000};
constexpr const char* kHeader = "timestamp,x,y,z,qx,qy,qz,qw";

double fractionBetween(gs::Stamp a, gs::Stamp b, gs::Stamp at) {
  return static_cast<double>((at - a).ns) / static_cast<double>((b - a).ns);
}

[[noreturn]] void failLine(const std::string& name, size_t line, const std::string& why) {
  throw gs::Error(
      {.code = gs::ErrorCode::InputInvalid,
       .component = "poses",
       .message = fmt::format("'{}', line {}: {}", name, line, why),
       .details = {{"file", name}, {"line", line}},
       .suggestion = std::string("Write lines of '") + kHeader +
                     "'; a file of a workspace comes back when mcap_ingest runs again."});
}

StampedPose parseLine(std::string_view line, const std::string& name, size_t number) {
  std::optional<gs::Stamp> stamp;
  std::array<double, 7> values{};
  for (size_t column = 0; column < 8; ++column) {
    const size_t comma = line.find(',');
    if ((comma == line.npos) != (column == 7)) failLine(name, number, "expected eight columns");
    const std::string_view word = line.substr(0, comma);
    line.remove_prefix(comma == line.npos ? line.size() : comma + 1);
    if (column == 0) {
      stamp = gs::findDecimalSeconds(word);
      continue;
    }
    const std::optional<double> value = gs::findNumber(word);
    if (!value) failLine(name, number, "'" + std::string(word.substr(0, 40)) + "' is not a number");
    values[column - 1] = *value;
  }
  const std::array<double, 4> xyzw = {values[3], values[4], values[5], values[6]};
  if (!stamp) failLine(name, number, "the stamp is no time");
  if (!gs::isUnit(xyzw)) failLine(name, number, "the quaternion is not of unit length");
  return {*stamp, {gs::fromXyzw(xyzw), gs::Vec3(values[0], values[1], values[2])}};
}

}  // namespace

EgoTrajectory::EgoTrajectory(std::vector<StampedPose> poses) {
  std::stable_sort(poses.begin(), poses.end(),
                   [](const StampedPose& a, const StampedPose& b) { return a.stamp < b.stamp; });
  for (const StampedPose& pose : poses)
    if (poses_.empty() || pose.stamp - poses_.back().stamp >= kMinStep) poses_.push_back(pose);
}

std::optional<gs::Rigid3> EgoTrajectory::at(gs::Stamp stamp) const {
  if (poses_.empty()) return std::nullopt;
  auto after =
      std::lower_bound(poses_.begin(), poses_.end(), stamp,
                       [](const StampedPose& pose, gs::Stamp t) { return pose.stamp < t; });
  if (after != poses_.end() && after->stamp == stamp) return after->map_from_base;
  if (poses_.size() < 2 || stamp < poses_.front().stamp - kMaxExtrapolation ||
      stamp > poses_.back().stamp + kMaxExtrapolation)
    return std::nullopt;
  after = std::clamp(after, poses_.begin() + 1, poses_.end() - 1);
  const auto before = std::prev(after);
  if (after->stamp - before->stamp > kMaxGap) return std::nullopt;
  return gs::interpolate(before->map_from_base, after->map_from_base,
                         fractionBetween(before->stamp, after->stamp, stamp));
}

gs::Vec3 EgoTrajectory::velocityAt(gs::Stamp stamp) const {
  constexpr gs::Duration kHalf{50'000'000};
  if (poses_.empty()) return gs::Vec3::Zero();
  const gs::Stamp from = std::max(stamp - kHalf, poses_.front().stamp);
  const gs::Stamp to = std::min(stamp + kHalf, poses_.back().stamp);
  const auto a = at(from), b = at(to), here = at(stamp);
  if (!a || !b || !here || to <= from) return gs::Vec3::Zero();
  return here->rotation.conjugate() * (b->translation - a->translation) / gs::toSeconds(to - from);
}

double EgoTrajectory::length() const {
  double length = 0;
  for (size_t i = 1; i < poses_.size(); ++i)
    length +=
        (poses_[i].map_from_base.translation - poses_[i - 1].map_from_base.translation).norm();
  return length;
}

size_t EgoTrajectory::gaps() const {
  size_t gaps = 0;
  for (size_t i = 1; i < poses_.size(); ++i)
    gaps += poses_[i].stamp - poses_[i - 1].stamp > kMaxGap;
  return gaps;
}

double EgoTrajectory::longestGap() const {
  gs::Duration longest;
  for (size_t i = 1; i < poses_.size(); ++i)
    longest = std::max(longest, poses_[i].stamp - poses_[i - 1].stamp);
  return gs::toSeconds(longest);
}

std::string toPosesCsv(const EgoTrajectory& trajectory) {
  std::string text = std::string(kHeader) + "\n";
  for (const StampedPose& pose : trajectory.poses()) {
    const gs::Vec3& p = pose.map_from_base.translation;
    const auto q = gs::toXyzw(pose.map_from_base.rotation);
    text += fmt::format("{},{},{},{},{},{},{},{}\n", gs::toDecimalSeconds(pose.stamp), p.x(), p.y(),
                        p.z(), q[0], q[1], q[2], q[3]);
  }
  return text;
}

EgoTrajectory parsePosesCsv(std::string_view text, const std::string& name) {
  std::vector<StampedPose> poses;
  for (size_t number = 1; !text.empty(); ++number) {
    const size_t end = std::min(text.find('\n'), text.size());
    std::string_view line = text.substr(0, end);
    if (line.ends_with('\r'))
      line.remove_suffix(1);  // spreadsheets and some CSV libraries write it
    text.remove_prefix(std::min(end + 1, text.size()));
    if (number == 1) {
      if (line != kHeader) failLine(name, number, std::string("expected '") + kHeader + "'");
    } else if (!line.empty()) {
      poses.push_back(parseLine(line, name, number));
    }
  }
  return EgoTrajectory(std::move(poses));
}

EgoTrajectory readPosesCsv(const std::filesystem::path& file) {
  return parsePosesCsv(gs::readTextFile(file, uint64_t{4} << 30), file.string());
}

}  // namespace gs_builder
