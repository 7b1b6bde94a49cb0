// SPDX-License-Identifier: Apache-2.0
#include "gs/core/file.hpp"

#include <cerrno>
#include <fcntl.h>
#include <sys/stat.h>
#include <system_error>
#include <unistd.h>
#include <utility>

#include "gs/core/error.hpp"

namespace gs {
namespace fs = std::filesystem;
namespace {

[[noreturn]] void failOutput(const fs::path& path, const char* what, const std::error_code& why) {
  throw Error(
      {.code = ErrorCode::OutputFailed,
       .component = "file",
       .message = "cannot " + std::string(what) + " '" + path.string() + "': " + why.message(),
       .details = {{"file", path.string()}},
       .suggestion = "Check free space and permissions of the output folder."});
}

std::error_code lastError() { return {errno, std::generic_category()}; }

// A name beside `path` that no other run uses: the process id tells them apart.
fs::path nameBeside(const fs::path& path, const char* suffix) {
  fs::path name = path.lexically_normal();
  if (!name.has_filename()) name = name.parent_path();  // "dir/" names the directory
  return name.parent_path() /
         ("." + name.filename().string() + suffix + std::to_string(::getpid()));
}

void writeAll(int fd, Bytes bytes, const fs::path& path) {
  while (!bytes.empty()) {
    const ssize_t put = ::write(fd, bytes.data(), bytes.size());
    if (put < 0 && errno == EINTR) continue;
    if (put < 0) failOutput(path, "write", lastError());
    bytes = bytes.subspan(static_cast<size_t>(put));
  }
}

// A rename survives a power cut only once the directory that holds the name is on disk.
void syncDirectoryOf(const fs::path& path) {
  const fs::path parent = path.has_parent_path() ? path.parent_path() : fs::path(".");
  const int fd = ::open(parent.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC);
  if (fd < 0) return;
  ::fsync(fd);
  ::close(fd);
}

}  // namespace

std::string readTextFile(const fs::path& path, uint64_t max_bytes) {
  const auto source = openFile(path);
  if (source->size() > max_bytes)
    throw Error({.code = ErrorCode::InputInvalid,
                 .component = "file",
                 .message = "'" + path.string() + "' is larger than the " +
                            std::to_string(max_bytes) + " bytes such a file may have",
                 .details = {{"file", path.string()}, {"size_bytes", source->size()}},
                 .suggestion = "Check that this is the file you meant."});
  std::string text(source->size(), '\0');
  const size_t got =
      source->readSomeAt(0, std::as_writable_bytes(std::span(text.data(), text.size())));
  text.resize(got);
  return text;
}

AtomicFile::AtomicFile(fs::path path) : path_(std::move(path)) {
  temporary_ = nameBeside(path_, ".tmp");
  fd_ = ::open(temporary_.c_str(), O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0644);
  if (fd_ < 0) failOutput(path_, "create", lastError());
}

AtomicFile::~AtomicFile() {
  if (fd_ < 0) return;
  ::close(fd_);
  ::unlink(temporary_.c_str());
}

void AtomicFile::write(Bytes bytes) { writeAll(fd_, bytes, path_); }

void AtomicFile::commit() {
  if (::fsync(fd_) != 0) failOutput(path_, "flush", lastError());
  if (::rename(temporary_.c_str(), path_.c_str()) != 0) failOutput(path_, "rename", lastError());
  ::close(fd_);
  fd_ = -1;
  syncDirectoryOf(path_);
}

void writeFileAtomically(const fs::path& path, Bytes bytes) {
  AtomicFile file(path);
  file.write(bytes);
  file.commit();
}

void writeFileAtomically(const fs::path& path, std::string_view text) {
  writeFileAtomically(path, asBytes(text));
}

void writeFile(const fs::path& path, Bytes bytes) {
  const int fd = ::open(path.c_str(), O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0644);
  if (fd < 0) failOutput(path, "create", lastError());
  try {
    writeAll(fd, bytes, path);
  } catch (...) {
    ::close(fd);
    throw;
  }
  // Some file systems notice only now that the disk is full.
  if (::close(fd) != 0) failOutput(path, "write", lastError());
}

void writeFile(const fs::path& path, std::string_view text) { writeFile(path, asBytes(text)); }

void flushFileSystemOf(const fs::path& path) {
  const int fd = ::open(path.c_str(), O_RDONLY | O_CLOEXEC);
  if (fd < 0) failOutput(path, "open", lastError());
  const bool is_done = ::syncfs(fd) == 0;
  const std::error_code why = lastError();
  ::close(fd);
  if (!is_done) failOutput(path, "flush", why);
}

void createDirectories(const fs::path& path) {
  std::error_code why;
  fs::create_directories(path, why);
  if (why) failOutput(path, "create", why);
}

StagedDirectory::StagedDirectory(fs::path target) : target_(std::move(target)) {
  staging_ = nameBeside(target_, ".new");
  std::error_code why;
  fs::remove_all(staging_, why);
  fs::create_directories(staging_, why);
  if (why) failOutput(staging_, "create", why);
}

StagedDirectory::~StagedDirectory() {
  std::error_code ignored;
  fs::remove_all(staging_, ignored);
}

void StagedDirectory::commit() {
  std::error_code why;
  const bool exists = fs::exists(fs::symlink_status(target_, why));
  const unsigned flags = exists ? 2u /* RENAME_EXCHANGE */ : 1u /* RENAME_NOREPLACE */;
  if (::renameat2(AT_FDCWD, staging_.c_str(), AT_FDCWD, target_.c_str(), flags) != 0) {
    // File systems without the exchange: move the old one aside first.
    const fs::path old = nameBeside(target_, ".old");
    if (exists) fs::rename(target_, old, why);
    if (!why) fs::rename(staging_, target_, why);
    if (why) failOutput(target_, "rename", why);
    fs::remove_all(old, why);
  }
  syncDirectoryOf(target_);  // after an exchange the old content is in staging_ and goes with us
}

ResolvedPath resolveInside(const fs::path& root, std::string_view relative) {
  ResolvedPath result{.path = root / fs::path(relative).relative_path()};
  if (relative.empty()) result.problem = PathProblem::Empty;
  else if (relative.find('\\') != std::string_view::npos) result.problem = PathProblem::Backslash;
  else if (fs::path(relative).is_absolute()) result.problem = PathProblem::Absolute;
  if (result.problem != PathProblem::None) return result;

  const auto leaves = [](const fs::path& path) {
    return path.empty() || path.is_absolute() || *path.begin() == "..";
  };
  std::error_code why;
  const fs::path real_root = fs::weakly_canonical(root, why);
  const fs::path real = why ? fs::path() : fs::weakly_canonical(result.path, why);
  // weakly_canonical fails on symlink loops: nothing can be read there either.
  if (leaves(fs::path(relative).lexically_normal()) || why ||
      leaves(real.lexically_relative(real_root)))
    result.problem = PathProblem::Escapes;
  return result;
}

void hardLinkOrCopy(const fs::path& from, const fs::path& to) {
  std::error_code why;
  fs::create_hard_link(from, to, why);
  if (!why) return;
  fs::copy_file(from, to, fs::copy_options::overwrite_existing, why);
  if (why) failOutput(to, "copy to", why);
}

}  // namespace gs
