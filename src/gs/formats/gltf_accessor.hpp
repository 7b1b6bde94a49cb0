// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "gs/core/bytes.hpp"
#include "gs/core/document.hpp"

namespace gs::detail {

[[noreturn]] void failGlb(const std::string& file, const char* problem, const std::string& why);

// The two chunks of a GLB; every function below checks what it is told against them.
struct Gltf {
  std::string file;  // for messages
  Node root;
  Bytes bin;

  // Member `index` of the top-level list `list`; a problem when there is none.
  const Node& at(const char* list, int64_t index) const;
};

// An integer member, or the default where it is absent; anything else is a problem.
int64_t integerOf(const Gltf& gltf, const Node& node, const char* key, int64_t otherwise);

enum class ComponentType {
  Int8 = 5120,
  Uint8 = 5121,
  Int16 = 5122,
  Uint16 = 5123,
  Uint32 = 5125,
  Float = 5126
};

// The elements of an accessor where they lie, all of them within the file.
struct Accessor {
  int64_t index = 0;  // for messages
  ComponentType type = ComponentType::Float;
  int components = 1;  // of VEC3: 3
  bool is_normalized = false;
  uint64_t count = 0;
  uint64_t stride = 0;
  Bytes bytes;  // from the first element; empty: all zero
  const Node* sparse = nullptr;
};

Accessor accessorAt(const Gltf& gltf, int64_t index);

// `components` numbers for each element, normalised integers as fractions; sparse values in place.
std::vector<float> loadFloats(const Gltf& gltf, const Accessor& accessor);
// Scalars of an unsigned integer type.
std::vector<uint32_t> loadIndices(const Gltf& gltf, const Accessor& accessor);

}  // namespace gs::detail
