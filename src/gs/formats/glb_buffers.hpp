// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <span>
#include <string>
#include <vector>

#include <nlohmann/json.hpp>

#include "gs/core/bytes.hpp"
#include "gs/core/triangle_mesh.hpp"
#include "gs/formats/gltf_accessor.hpp"

// What both ways of writing a GLB share (glb_encode.cpp, glb_encode_compact.cpp).
namespace gs::detail {

// The binary chunk and the lists that describe it, grown together.
class GlbBuffers {
 public:
  static constexpr int kVertices = 34962, kIndices = 34963;  // glTF's targets

  // Returns the number of the accessor. `stride`: bytes from one element to the next, where that is
  // more than the element has.
  template <typename T>
  int add(const std::vector<T>& values, const char* type, ComponentType component, uint64_t count,
          int target, size_t stride = 0) {
    const Bytes bytes = std::as_bytes(std::span(values));
    views_.push_back({{"buffer", 0},
                      {"byteOffset", bin_.size()},
                      {"byteLength", bytes.size()},
                      {"target", target}});
    if (stride > 0) views_.back()["byteStride"] = stride;
    accessors_.push_back({{"bufferView", views_.size() - 1},
                          {"componentType", static_cast<int>(component)},
                          {"count", count},
                          {"type", type}});
    bin_ += asText(bytes);
    bin_.resize((bin_.size() + 3) / 4 * 4, '\0');  // glTF wants elements at multiples of 4 bytes
    return static_cast<int>(accessors_.size()) - 1;
  }

  nlohmann::ordered_json& accessor(int index) { return accessors_[static_cast<size_t>(index)]; }
  const nlohmann::ordered_json& accessors() const { return accessors_; }
  const nlohmann::ordered_json& views() const { return views_; }
  const std::string& bin() const { return bin_; }

 private:
  std::string bin_;
  nlohmann::ordered_json accessors_ = nlohmann::ordered_json::array();
  nlohmann::ordered_json views_ = nlohmann::ordered_json::array();
};

// Throws as encodeGlb does.
void checkGlbMesh(const TriangleMesh& mesh);

// A file with nothing in it, and the node that turns z up into y up (see glb.hpp).
nlohmann::ordered_json emptyGlbDocument();
nlohmann::ordered_json rootOfGlb();

// The whole file. Throws OUTPUT_FAILED beyond the 4 GiB that one can have.
std::string assembleGlb(nlohmann::ordered_json document, const GlbBuffers& buffers);

}  // namespace gs::detail
