// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>
#include <string>

#include "gs/core/bytes.hpp"

namespace gs {

// MD5 names content (the bundle's source, the build report); SHA-256 is for interface hashes.
// Neither is used for security.
enum class HashKind { Md5, Sha256 };

// Feed bytes, then read the lower-case hex digest once.
class Hasher {
 public:
  explicit Hasher(HashKind kind);
  ~Hasher();
  Hasher(const Hasher&) = delete;
  Hasher& operator=(const Hasher&) = delete;

  void add(Bytes bytes);
  std::string hexDigest();

 private:
  struct State;
  std::unique_ptr<State> state_;
};

std::string hexDigest(HashKind kind, Bytes bytes);
std::string hexDigest(HashKind kind, const ByteSource& source);  // streams; any size

}  // namespace gs
