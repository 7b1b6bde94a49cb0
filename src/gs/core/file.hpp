// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

#include "gs/core/bytes.hpp"

namespace gs {

// Whole file into memory. Throws gs::Error (INPUT_INVALID) when it cannot be read or is larger
// than `max_bytes`: a size in a directory entry is not a reason to allocate it.
std::string readTextFile(const std::filesystem::path& path, uint64_t max_bytes);

// A file that appears under its name complete or not at all: written beside, flushed to disk,
// renamed by commit(). Without commit() nothing remains. Throws gs::Error (OUTPUT_FAILED).
class AtomicFile {
 public:
  explicit AtomicFile(std::filesystem::path path);
  ~AtomicFile();
  AtomicFile(const AtomicFile&) = delete;
  AtomicFile& operator=(const AtomicFile&) = delete;

  void write(Bytes bytes);
  void commit();

 private:
  std::filesystem::path path_;
  std::filesystem::path temporary_;
  int fd_ = -1;
};

void writeFileAtomically(const std::filesystem::path& path, Bytes bytes);
void writeFileAtomically(const std::filesystem::path& path, std::string_view text);

// Straight into its place and not flushed, so a kill may leave a part of it: for folders that are
// redone from empty unless something written atomically says that they are complete. A thousand
// small files are written as fast as the disk takes them. Throws gs::Error (OUTPUT_FAILED).
void writeFile(const std::filesystem::path& path, Bytes bytes);
void writeFile(const std::filesystem::path& path, std::string_view text);

// Everything written so far on the file system of `path` reaches the disk before this returns.
void flushFileSystemOf(const std::filesystem::path& path);

// With all folders above it. Throws gs::Error (OUTPUT_FAILED).
void createDirectories(const std::filesystem::path& path);

// A directory that appears under its name complete or not at all: fill path(), then commit(). What
// stood at `target` before is replaced in one rename, never mixed with the new content.
class StagedDirectory {
 public:
  explicit StagedDirectory(std::filesystem::path target);
  ~StagedDirectory();
  StagedDirectory(const StagedDirectory&) = delete;
  StagedDirectory& operator=(const StagedDirectory&) = delete;

  const std::filesystem::path& path() const { return staging_; }
  void commit();

 private:
  std::filesystem::path target_;
  std::filesystem::path staging_;
};

// Why a path written in a bundle is not acceptable.
enum class PathProblem { None, Empty, Absolute, Backslash, Escapes };

struct ResolvedPath {
  PathProblem problem = PathProblem::None;
  std::filesystem::path path;  // root / relative, whether or not it exists
};

// A relative path with forward slashes that stays inside `root`, also after following symbolic
// links. "a/../b" is fine, "../b" is not.
ResolvedPath resolveInside(const std::filesystem::path& root, std::string_view relative);

// Same content under a second name, without a second copy where the file system allows it.
void hardLinkOrCopy(const std::filesystem::path& from, const std::filesystem::path& to);

}  // namespace gs
