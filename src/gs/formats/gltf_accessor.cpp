// SPDX-License-Identifier: Apache-2.0
#include "gs/formats/gltf_accessor.hpp"

#include <algorithm>
#include <cstring>
#include <limits>

#include "gs/core/error.hpp"
#include "gs/formats/glb.hpp"

namespace gs::detail {
namespace {

[[noreturn]] void failAccessor(const Gltf& gltf, int64_t index, const std::string& why) {
  failGlb(gltf.file, "accessor", "accessor " + std::to_string(index) + " " + why);
}

size_t sizeOf(ComponentType type) {
  switch (type) {
    case ComponentType::Int8:
    case ComponentType::Uint8: return 1;
    case ComponentType::Int16:
    case ComponentType::Uint16: return 2;
    default: return 4;
  }
}

ComponentType componentTypeOf(const Gltf& gltf, const Node& node, int64_t index) {
  const int64_t type = integerOf(gltf, node, "componentType", 0);
  for (const int64_t known : {5120, 5121, 5122, 5123, 5125, 5126})
    if (type == known) return static_cast<ComponentType>(type);
  failAccessor(gltf, index, "has the unknown component type " + std::to_string(type));
}

int componentsOf(const Gltf& gltf, const Node& node, int64_t index) {
  const Node* type = node.find("type");
  const std::string word = type == nullptr ? "" : type->findString().value_or("");
  if (word == "SCALAR") return 1;
  if (word == "VEC2") return 2;
  if (word == "VEC3") return 3;
  if (word == "VEC4") return 4;
  failAccessor(gltf, index, "has the type '" + word.substr(0, 20) + "', which no vertex needs");
}

uint64_t offsetOf(const Gltf& gltf, const Node& node, int64_t index) {
  const int64_t offset = integerOf(gltf, node, "byteOffset", 0);
  if (offset < 0) failAccessor(gltf, index, "has a negative byteOffset");
  return static_cast<uint64_t>(offset);
}

struct View {
  Bytes bytes;
  uint64_t stride = 0;  // 0: elements follow each other
};

View viewAt(const Gltf& gltf, int64_t view_index, int64_t accessor_index) {
  const Node& node = gltf.at("bufferViews", view_index);
  const int64_t buffer_index = integerOf(gltf, node, "buffer", -1);
  const Node& buffer = gltf.at("buffers", buffer_index);
  if (buffer_index != 0 || buffer.find("uri") != nullptr)
    failGlb(gltf.file, "unsupported",
            "buffer " + std::to_string(buffer_index) + " is not in the file itself");
  const uint64_t offset = offsetOf(gltf, node, accessor_index);
  const int64_t length = integerOf(gltf, node, "byteLength", -1);
  const int64_t stride = integerOf(gltf, node, "byteStride", 0);
  if (length < 0 || stride < 0 || stride > 252 || offset > gltf.bin.size() ||
      static_cast<uint64_t>(length) > gltf.bin.size() - offset)
    failAccessor(gltf, accessor_index,
                 "uses buffer view " + std::to_string(view_index) + ", which leaves the file");
  return {gltf.bin.subspan(offset, static_cast<size_t>(length)), static_cast<uint64_t>(stride)};
}

// From `offset` in the view to its end, after a check that `count` elements fit.
Bytes elementsIn(const Gltf& gltf, Bytes view, uint64_t offset, uint64_t count, uint64_t stride,
                 uint64_t element, int64_t index) {
  const bool is_inside = offset <= view.size() && view.size() - offset >= element &&
                         count - 1 <= (view.size() - offset - element) / stride;
  if (!is_inside)
    failAccessor(gltf, index,
                 "needs " + std::to_string(count) + " elements of " + std::to_string(element) +
                     " bytes; its buffer view is too short");
  return view.subspan(offset);
}

template <typename T>
T load(const std::byte* at) {
  T value;
  std::memcpy(&value, at, sizeof value);
  return value;
}

template <typename T>
float loadInteger(const std::byte* at, bool is_normalized) {
  const auto value = static_cast<float>(load<T>(at));
  if (!is_normalized) return value;
  return std::max(value / static_cast<float>(std::numeric_limits<T>::max()), -1.0f);
}

float loadFloat(const std::byte* at, ComponentType type, bool is_normalized) {
  switch (type) {
    case ComponentType::Int8: return loadInteger<int8_t>(at, is_normalized);
    case ComponentType::Uint8: return loadInteger<uint8_t>(at, is_normalized);
    case ComponentType::Int16: return loadInteger<int16_t>(at, is_normalized);
    case ComponentType::Uint16: return loadInteger<uint16_t>(at, is_normalized);
    case ComponentType::Uint32: return loadInteger<uint32_t>(at, is_normalized);
    case ComponentType::Float: break;
  }
  return load<float>(at);
}

uint32_t loadUnsigned(const std::byte* at, ComponentType type) {
  if (type == ComponentType::Uint8) return load<uint8_t>(at);
  if (type == ComponentType::Uint16) return load<uint16_t>(at);
  return load<uint32_t>(at);
}

bool isUnsigned(ComponentType type) {
  return type == ComponentType::Uint8 || type == ComponentType::Uint16 ||
         type == ComponentType::Uint32;
}

// The two lists of a sparse accessor as accessors of their own: which elements, and their values.
struct Sparse {
  Accessor indices, values;
};

Sparse sparseOf(const Gltf& gltf, const Accessor& accessor) {
  const int64_t count = integerOf(gltf, *accessor.sparse, "count", -1);
  const Node* indices = accessor.sparse->find("indices");
  const Node* values = accessor.sparse->find("values");
  if (count < 1 || static_cast<uint64_t>(count) > accessor.count || indices == nullptr ||
      values == nullptr)
    failAccessor(gltf, accessor.index, "has an incomplete 'sparse'");
  const auto part = [&](const Node& node, ComponentType type, int components) {
    Accessor out{.index = accessor.index,
                 .type = type,
                 .components = components,
                 .is_normalized = accessor.is_normalized,
                 .count = static_cast<uint64_t>(count)};
    out.stride = sizeOf(type) * static_cast<size_t>(components);
    const View view = viewAt(gltf, integerOf(gltf, node, "bufferView", -1), accessor.index);
    out.bytes = elementsIn(gltf, view.bytes, offsetOf(gltf, node, accessor.index), out.count,
                           out.stride, out.stride, accessor.index);
    return out;
  };
  const ComponentType index_type = componentTypeOf(gltf, *indices, accessor.index);
  if (!isUnsigned(index_type)) failAccessor(gltf, accessor.index, "has signed sparse indices");
  return {part(*indices, index_type, 1), part(*values, accessor.type, accessor.components)};
}

// Calls put(element, where its components lie) for each element, then for each sparse one.
template <typename Put>
void forEachElement(const Gltf& gltf, const Accessor& accessor, const Put& put) {
  if (!accessor.bytes.empty())
    for (uint64_t i = 0; i < accessor.count; ++i)
      put(i, accessor.bytes.data() + i * accessor.stride);
  if (accessor.sparse == nullptr) return;
  const Sparse sparse = sparseOf(gltf, accessor);
  for (uint64_t i = 0; i < sparse.indices.count; ++i) {
    const uint32_t element =
        loadUnsigned(sparse.indices.bytes.data() + i * sparse.indices.stride, sparse.indices.type);
    if (element >= accessor.count)
      failAccessor(gltf, accessor.index, "has a sparse index that is out of range");
    put(element, sparse.values.bytes.data() + i * sparse.values.stride);
  }
}

}  // namespace

void failGlb(const std::string& file, const char* problem, const std::string& why) {
  throw Error(
      {.code = ErrorCode::InputInvalid,
       .component = "glb",
       .message = "'" + file + "' is not a usable mesh: " + why,
       .details = {{"file", file}, {"problem", problem}},
       .suggestion = "Export the mesh again as one binary glTF 2.0 file (.glb) of triangles."});
}

const Node& Gltf::at(const char* list, int64_t index) const {
  const Node* nodes = root.find(list);
  if (nodes == nullptr || index < 0 || static_cast<uint64_t>(index) >= nodes->items.size() ||
      nodes->items[static_cast<size_t>(index)].kind != Node::Kind::Map)
    failGlb(file, "json", "there is no " + std::string(list) + "[" + std::to_string(index) + "]");
  return nodes->items[static_cast<size_t>(index)];
}

int64_t integerOf(const Gltf& gltf, const Node& node, const char* key, int64_t otherwise) {
  const Node* member = node.find(key);
  if (member == nullptr) return otherwise;
  const auto value = member->findInteger();
  if (!value) failGlb(gltf.file, "json", "'" + std::string(key) + "' is not a whole number");
  return *value;
}

Accessor accessorAt(const Gltf& gltf, int64_t index) {
  const Node& node = gltf.at("accessors", index);
  Accessor accessor{.index = index};
  accessor.type = componentTypeOf(gltf, node, index);
  accessor.components = componentsOf(gltf, node, index);
  if (const Node* normalized = node.find("normalized"))
    accessor.is_normalized = normalized->findBool().value_or(false);
  const int64_t count = integerOf(gltf, node, "count", 0);
  if (count < 1) failAccessor(gltf, index, "has no elements");
  accessor.count = static_cast<uint64_t>(count);
  accessor.sparse = node.find("sparse");

  const uint64_t element = sizeOf(accessor.type) * static_cast<uint64_t>(accessor.components);
  if (node.find("bufferView") != nullptr) {
    const View view = viewAt(gltf, integerOf(gltf, node, "bufferView", -1), index);
    accessor.stride = view.stride == 0 ? element : view.stride;
    if (accessor.stride < element) failAccessor(gltf, index, "has elements wider than its stride");
    accessor.bytes = elementsIn(gltf, view.bytes, offsetOf(gltf, node, index), accessor.count,
                                accessor.stride, element, index);
  } else if (accessor.sparse == nullptr || accessor.count > gltf.bin.size()) {
    // All zero but for some: allowed, yet a few bytes must not ask for gigabytes.
    failAccessor(gltf, index, "has no buffer view");
  }
  return accessor;
}

std::vector<float> loadFloats(const Gltf& gltf, const Accessor& accessor) {
  const auto components = static_cast<size_t>(accessor.components);
  const size_t width = sizeOf(accessor.type);
  std::vector<float> out(accessor.count * components);
  forEachElement(gltf, accessor, [&](uint64_t i, const std::byte* at) {
    for (size_t c = 0; c < components; ++c)
      out[i * components + c] = loadFloat(at + c * width, accessor.type, accessor.is_normalized);
  });
  return out;
}

std::vector<uint32_t> loadIndices(const Gltf& gltf, const Accessor& accessor) {
  if (accessor.components != 1 || !isUnsigned(accessor.type))
    failAccessor(gltf, accessor.index, "holds no indices: they are unsigned scalars");
  std::vector<uint32_t> out(accessor.count);
  forEachElement(gltf, accessor, [&](uint64_t i, const std::byte* at) {
    out[i] = loadUnsigned(at, accessor.type);
  });
  return out;
}

}  // namespace gs::detail
