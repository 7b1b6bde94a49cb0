// SPDX-License-Identifier: Apache-2.0
#include "gs_builder/workspace.hpp"

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <fcntl.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include <fmt/format.h>

#include "gs/core/error.hpp"
#include "gs/core/file.hpp"
#include "gs/core/hash.hpp"
#include "gs/core/write_fields.hpp"

namespace gs_builder {
namespace fs = std::filesystem;
namespace {

constexpr const char* kStampName = "stage.json";
constexpr const char* kBegunName = "begun.json";  // of a stage that can go on: what it is made from

[[noreturn]] void failWorkspace(const fs::path& path, const std::string& why) {
  throw gs::Error({.code = gs::ErrorCode::OutputFailed,
                   .component = "workspace",
                   .message = "'" + path.string() + "': " + why,
                   .details = {{"path", path.string()}},
                   .suggestion = "Check permissions and free space, or choose another workspace."});
}

}  // namespace

Workspace::Workspace(fs::path root, fs::path fallback)
    : root_(std::move(root)), fallback_(std::move(fallback)) {}

fs::path Workspace::existing(const std::string& folder) const {
  std::error_code ignored;
  if (!fallback_.empty() && !fs::is_directory(root_ / folder, ignored)) return fallback_ / folder;
  return root_ / folder;
}

void Workspace::clear(const std::string& folder) const {
  std::error_code why;
  // The stamp goes first: a kill while the rest is removed must not leave a stage that looks done.
  fs::remove(dir(folder) / kStampName, why);
  if (!why) fs::remove_all(dir(folder), why);
  if (why) failWorkspace(dir(folder), "cannot be emptied: " + why.message());
  gs::createDirectories(dir(folder));
}

void Workspace::prepare(const std::string& folder, const std::string& key, bool resumes) const {
  if (!resumes) return clear(folder);
  const fs::path begun = dir(folder) / kBegunName;
  std::error_code ignored;
  if (fs::is_regular_file(begun, ignored) && !fs::exists(dir(folder) / kStampName, ignored)) {
    const auto json =
        nlohmann::ordered_json::parse(gs::readTextFile(begun, 1 << 16), nullptr, false);
    if (json.is_object() && json.contains("key") && json["key"] == key) return;
  }
  clear(folder);
  gs::writeFileAtomically(begun, gs::toText(nlohmann::ordered_json{{"key", key}}));
}

WorkspaceLock::WorkspaceLock(const fs::path& root) {
  gs::createDirectories(root);
  const fs::path file = root / ".lock";
  fd_ = ::open(file.c_str(), O_RDWR | O_CREAT | O_CLOEXEC, 0644);
  if (fd_ < 0) failWorkspace(file, std::strerror(errno));
  if (::flock(fd_, LOCK_EX | LOCK_NB) == 0) return;
  ::close(fd_);
  throw gs::Error({.code = gs::ErrorCode::OutputFailed,
                   .component = "workspace",
                   .message = "another build is working in '" + root.string() + "'",
                   .details = {{"workspace", root.string()}},
                   .suggestion = "Wait for it, or give this build another --scene-id."});
}

WorkspaceLock::~WorkspaceLock() {
  if (fd_ >= 0) ::close(fd_);
}

std::optional<StageStamp> findStamp(const fs::path& stage_folder) {
  std::error_code ignored;
  if (!fs::is_regular_file(stage_folder / kStampName, ignored)) return std::nullopt;
  const auto json = nlohmann::ordered_json::parse(
      gs::readTextFile(stage_folder / kStampName, uint64_t{16} << 20), nullptr, false);
  // A stamp that cannot be read is no stamp: the stage is done again.
  const auto text = [&](const char* key) {
    return json.is_object() && json.contains(key) && json[key].is_string()
               ? json[key].get<std::string>()
               : std::string();
  };
  StageStamp stamp{.key = text("key"), .fingerprint = text("fingerprint")};
  if (stamp.key.empty()) return std::nullopt;
  if (json.contains("seconds") && json["seconds"].is_number()) stamp.seconds = json["seconds"];
  if (json.contains("warnings") && json["warnings"].is_array())
    for (const auto& warning : json["warnings"])
      if (warning.is_string()) stamp.warnings.push_back(warning);
  if (json.contains("statistics")) stamp.statistics = json["statistics"];
  return stamp;
}

void writeStamp(const fs::path& stage_folder, const StageStamp& stamp) {
  nlohmann::ordered_json json;
  json["key"] = stamp.key;
  json["fingerprint"] = stamp.fingerprint;
  json["seconds"] = stamp.seconds;
  json["warnings"] = stamp.warnings;
  json["statistics"] = stamp.statistics;
  gs::flushFileSystemOf(stage_folder);
  gs::writeFileAtomically(stage_folder / kStampName, gs::toText(json));
}

std::string fingerprintOf(const fs::path& folder) {
  std::vector<std::string> lines;
  std::error_code why;
  for (fs::recursive_directory_iterator entry(folder, why), end; !why && entry != end;
       entry.increment(why)) {
    struct stat facts {};
    if (::lstat(entry->path().c_str(), &facts) != 0 || !S_ISREG(facts.st_mode)) continue;
    const std::string name = entry->path().lexically_relative(folder).generic_string();
    if (name == kStampName) continue;
    lines.push_back(fmt::format("{} {} {}.{:09}\n", name, facts.st_size, facts.st_mtim.tv_sec,
                                facts.st_mtim.tv_nsec));
  }
  std::sort(lines.begin(), lines.end());
  gs::Hasher hasher(gs::HashKind::Sha256);
  for (const std::string& line : lines) hasher.add(gs::asBytes(line));
  return hasher.hexDigest();
}

}  // namespace gs_builder
