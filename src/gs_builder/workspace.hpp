// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <filesystem>
#include <optional>
#include <string>

#include <nlohmann/json.hpp>

namespace gs_builder {

// The folder of one build: a folder per stage, each complete only when its stamp says so.
class Workspace {
 public:
  // Folders of earlier stages that `root` lacks are read from `fallback`.
  explicit Workspace(std::filesystem::path root, std::filesystem::path fallback = {});

  const std::filesystem::path& root() const { return root_; }
  // For writing.
  std::filesystem::path dir(const std::string& folder) const { return root_ / folder; }
  // For reading: here if it is here, else in the fallback.
  std::filesystem::path existing(const std::string& folder) const;
  // Empty and there: what a killed run left is removed.
  void clear(const std::string& folder) const;
  // For a stage that is about to run. What an interrupted run left stays when the stage can go on
  // from it and it was made from the same things (`key`).
  void prepare(const std::string& folder, const std::string& key, bool resumes) const;

 private:
  std::filesystem::path root_, fallback_;
};

// Keeps others out of a workspace while it lives. Throws OUTPUT_FAILED when another build is in it.
class WorkspaceLock {
 public:
  explicit WorkspaceLock(const std::filesystem::path& root);
  ~WorkspaceLock();
  WorkspaceLock(const WorkspaceLock&) = delete;
  WorkspaceLock& operator=(const WorkspaceLock&) = delete;

 private:
  int fd_ = -1;
};

// <stage folder>/stage.json: written last and atomically, so a stage with a stamp is complete.
struct StageStamp {
  std::string key;          // what the stage was made from: version, configuration, inputs
  std::string fingerprint;  // what it made: names, sizes and times of its files
  double seconds = 0;
  std::vector<std::string> warnings;
  nlohmann::ordered_json statistics;
};
std::optional<StageStamp> findStamp(const std::filesystem::path& stage_folder);
void writeStamp(const std::filesystem::path& stage_folder, const StageStamp& stamp);

// Changes when a file of the folder is added, removed, resized or written again.
std::string fingerprintOf(const std::filesystem::path& folder);

}  // namespace gs_builder
