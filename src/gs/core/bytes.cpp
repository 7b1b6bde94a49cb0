// SPDX-License-Identifier: Apache-2.0
#include "gs/core/bytes.hpp"

#include <algorithm>
#include <cerrno>
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>
#include <utility>

#include "gs/core/error.hpp"

namespace gs {
namespace {

[[noreturn]] void fail(const std::string& path, const char* what, int error) {
  throw Error({.code = ErrorCode::InputInvalid,
               .component = "file",
               .message = "cannot " + std::string(what) + " '" + path +
                          "': " + std::generic_category().message(error),
               .details = {{"file", path}},
               .suggestion = "Check that the file exists and may be read."});
}

class FileSource final : public ByteSource {
 public:
  explicit FileSource(const std::filesystem::path& path) : name_(path.string()) {
    // O_NONBLOCK: a pipe in the place of a file must not hang the program.
    fd_ = ::open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK);
    if (fd_ < 0) fail(name_, "open", errno);
    struct stat status {};
    if (::fstat(fd_, &status) != 0 || !S_ISREG(status.st_mode)) {
      ::close(fd_);
      fail(name_, "read", S_ISDIR(status.st_mode) ? EISDIR : EINVAL);
    }
    size_ = static_cast<uint64_t>(status.st_size);
  }
  ~FileSource() override { ::close(fd_); }
  FileSource(const FileSource&) = delete;
  FileSource& operator=(const FileSource&) = delete;

  uint64_t size() const override { return size_; }
  const std::string& name() const override { return name_; }

  size_t readSomeAt(uint64_t offset, std::span<std::byte> out) const override {
    size_t done = 0;
    while (done < out.size() && offset + done < size_) {
      const ssize_t got =
          ::pread(fd_, out.data() + done, out.size() - done, static_cast<off_t>(offset + done));
      if (got < 0 && errno == EINTR) continue;
      if (got < 0) fail(name_, "read", errno);
      if (got == 0) break;  // truncated since it was opened
      done += static_cast<size_t>(got);
    }
    return done;
  }

 private:
  std::string name_;
  int fd_ = -1;
  uint64_t size_ = 0;
};

class MemorySource final : public ByteSource {
 public:
  MemorySource(Bytes bytes, std::string name) : bytes_(bytes), name_(std::move(name)) {}
  uint64_t size() const override { return bytes_.size(); }
  const std::string& name() const override { return name_; }

  size_t readSomeAt(uint64_t offset, std::span<std::byte> out) const override {
    if (offset >= bytes_.size()) return 0;
    const size_t count = std::min<size_t>(out.size(), bytes_.size() - offset);
    std::copy_n(bytes_.data() + offset, count, out.data());
    return count;
  }

 private:
  Bytes bytes_;
  std::string name_;
};

}  // namespace

std::unique_ptr<ByteSource> openFile(const std::filesystem::path& path) {
  return std::make_unique<FileSource>(path);
}

std::unique_ptr<ByteSource> openMemory(Bytes bytes, std::string name) {
  return std::make_unique<MemorySource>(bytes, std::move(name));
}

}  // namespace gs
