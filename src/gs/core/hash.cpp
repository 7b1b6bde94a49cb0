// SPDX-License-Identifier: Apache-2.0
#include "gs/core/hash.hpp"

#include <vector>

#include <openssl/evp.h>

#include "gs/core/check.hpp"

namespace gs {

struct Hasher::State {
  EVP_MD_CTX* context = EVP_MD_CTX_new();
  ~State() { EVP_MD_CTX_free(context); }
};

Hasher::Hasher(HashKind kind) : state_(std::make_unique<State>()) {
  const EVP_MD* algorithm = kind == HashKind::Md5 ? EVP_md5() : EVP_sha256();
  GS_CHECK(EVP_DigestInit_ex(state_->context, algorithm, nullptr) == 1);
}

Hasher::~Hasher() = default;

void Hasher::add(Bytes bytes) {
  GS_CHECK(EVP_DigestUpdate(state_->context, bytes.data(), bytes.size()) == 1);
}

std::string Hasher::hexDigest() {
  unsigned char digest[EVP_MAX_MD_SIZE];
  unsigned length = 0;
  GS_CHECK(EVP_DigestFinal_ex(state_->context, digest, &length) == 1);
  std::string hex;
  for (unsigned i = 0; i < length; ++i) {
    hex += "0123456789abcdef"[digest[i] >> 4];
    hex += "0123456789abcdef"[digest[i] & 15];
  }
  return hex;
}

std::string hexDigest(HashKind kind, Bytes bytes) {
  Hasher hasher(kind);
  hasher.add(bytes);
  return hasher.hexDigest();
}

std::string hexDigest(HashKind kind, const ByteSource& source) {
  Hasher hasher(kind);
  std::vector<std::byte> block(1 << 20);
  uint64_t offset = 0;
  while (const size_t got = source.readSomeAt(offset, block)) {
    hasher.add(Bytes(block).first(got));
    offset += got;
  }
  return hasher.hexDigest();
}

}  // namespace gs
