// SPDX-License-Identifier: Apache-2.0
#include <cmath>
#include <limits>

#include <nlohmann/json.hpp>

#include "gs/core/error.hpp"
#include "gs/formats/glb.hpp"
#include "gs/formats/gltf_accessor.hpp"

namespace gs {
namespace {

using Json = nlohmann::ordered_json;

constexpr int kArrayBuffer = 34962;
constexpr int kElementArrayBuffer = 34963;

void checkMesh(const TriangleMesh& mesh) {
  const std::string name = "mesh to be written";
  const size_t count = mesh.positions.size();
  for (const auto& p : mesh.positions)
    if (!std::isfinite(p[0]) || !std::isfinite(p[1]) || !std::isfinite(p[2]))
      detail::failGlb(name, "non_finite", "a position is not finite");
  if ((!mesh.normals.empty() && mesh.normals.size() != count) ||
      (!mesh.colors.empty() && mesh.colors.size() != count))
    detail::failGlb(name, "accessor", "there are not as many normals or colours as positions");
  for (const auto& triangle : mesh.triangles)
    for (const uint32_t corner : triangle)
      if (corner >= count) detail::failGlb(name, "index_range", "a triangle uses a missing vertex");
}

// The binary chunk and the lists that describe it, grown together.
class Buffers {
 public:
  template <typename T>
  int add(const std::vector<T>& values, const char* type, detail::ComponentType component,
          uint64_t count, int target) {
    const Bytes bytes = std::as_bytes(std::span(values));
    views_.push_back(Json{{"buffer", 0},
                          {"byteOffset", bin_.size()},
                          {"byteLength", bytes.size()},
                          {"target", target}});
    accessors_.push_back(Json{{"bufferView", views_.size() - 1},
                              {"componentType", static_cast<int>(component)},
                              {"count", count},
                              {"type", type}});
    bin_ += asText(bytes);  // all our elements are multiples of 4 bytes, as glTF wants
    return static_cast<int>(accessors_.size()) - 1;
  }

  Json& accessor(int index) { return accessors_[static_cast<size_t>(index)]; }
  const Json& accessors() const { return accessors_; }
  const Json& views() const { return views_; }
  const std::string& bin() const { return bin_; }

 private:
  std::string bin_;
  Json accessors_ = Json::array();
  Json views_ = Json::array();
};

void addBounds(Json& accessor, const std::vector<std::array<float, 3>>& positions) {
  std::array<float, 3> low = positions.front(), high = positions.front();
  for (const auto& p : positions) {
    for (size_t axis = 0; axis < 3; ++axis) {
      low[axis] = std::min(low[axis], p[axis]);
      high[axis] = std::max(high[axis], p[axis]);
    }
  }
  accessor["min"] = low;
  accessor["max"] = high;
}

Json documentOf(const TriangleMesh& mesh, Buffers& buffers) {
  Json json = {{"asset", {{"version", "2.0"}, {"generator", "gs_world_builder"}}}, {"scene", 0}};
  if (mesh.triangles.empty()) {
    json["scenes"] = Json::array({Json::object()});
    return json;
  }
  using Type = detail::ComponentType;
  const size_t count = mesh.positions.size();
  Json attributes;
  const int positions = buffers.add(mesh.positions, "VEC3", Type::Float, count, kArrayBuffer);
  addBounds(buffers.accessor(positions), mesh.positions);
  attributes["POSITION"] = positions;
  if (!mesh.normals.empty())
    attributes["NORMAL"] = buffers.add(mesh.normals, "VEC3", Type::Float, count, kArrayBuffer);
  if (!mesh.colors.empty()) {
    const int colors = buffers.add(mesh.colors, "VEC4", Type::Uint8, count, kArrayBuffer);
    buffers.accessor(colors)["normalized"] = true;
    attributes["COLOR_0"] = colors;
  }
  const int indices = buffers.add(mesh.triangles, "SCALAR", Type::Uint32, mesh.triangles.size() * 3,
                                  kElementArrayBuffer);
  json["scenes"] = Json::array({Json{{"nodes", {0}}}});
  // Column by column: x to x, y to -z, z to y (see glb.hpp).
  json["nodes"] =
      Json::array({Json{{"name", "gltf_from_map"},
                        {"mesh", 0},
                        {"matrix", {1, 0, 0, 0, 0, 0, -1, 0, 0, 1, 0, 0, 0, 0, 0, 1}}}});
  json["meshes"] = Json::array(
      {Json{{"primitives",
             Json::array({Json{{"attributes", attributes}, {"indices", indices}, {"mode", 4}}})}}});
  json["accessors"] = buffers.accessors();
  json["bufferViews"] = buffers.views();
  json["buffers"] = Json::array({Json{{"byteLength", buffers.bin().size()}}});
  return json;
}

void appendChunk(std::string& out, const char (&type)[5], std::string_view data) {
  appendBytes(out, static_cast<uint32_t>(data.size()));
  out.append(type, 4);
  out += data;
}

}  // namespace

std::string encodeGlb(const TriangleMesh& mesh) {
  checkMesh(mesh);
  Buffers buffers;
  std::string json = documentOf(mesh, buffers).dump();
  json.resize((json.size() + 3) / 4 * 4, ' ');
  const bool has_bin = !buffers.bin().empty();
  const uint64_t size = 12 + 8 + json.size() + (has_bin ? 8 + buffers.bin().size() : 0);
  if (size > std::numeric_limits<uint32_t>::max())
    throw Error({.code = ErrorCode::OutputFailed,
                 .component = "glb",
                 .message = "the mesh needs more than the 4 GiB a GLB file can have",
                 .details = {{"problem", "unsupported"}, {"size_bytes", size}},
                 .suggestion = "Simplify the mesh: raise the voxel size of the mesh builder."});
  std::string out = "glTF";
  out.reserve(size);
  appendBytes(out, uint32_t{2});
  appendBytes(out, static_cast<uint32_t>(size));
  appendChunk(out, "JSON", json);
  if (has_bin) appendChunk(out, "BIN\0", buffers.bin());
  return out;
}

}  // namespace gs
