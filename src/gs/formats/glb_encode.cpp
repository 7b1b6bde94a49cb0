// SPDX-License-Identifier: Apache-2.0
#include <cmath>
#include <limits>

#include "gs/core/error.hpp"
#include "gs/formats/glb.hpp"
#include "gs/formats/glb_buffers.hpp"

namespace gs {
namespace {

using Json = nlohmann::ordered_json;

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

Json documentOf(const TriangleMesh& mesh, detail::GlbBuffers& buffers) {
  Json json = detail::emptyGlbDocument();
  if (mesh.triangles.empty()) return json;
  using Type = detail::ComponentType;
  constexpr int kVertices = detail::GlbBuffers::kVertices;
  const size_t count = mesh.positions.size();
  Json attributes;
  const int positions = buffers.add(mesh.positions, "VEC3", Type::Float, count, kVertices);
  addBounds(buffers.accessor(positions), mesh.positions);
  attributes["POSITION"] = positions;
  if (!mesh.normals.empty())
    attributes["NORMAL"] = buffers.add(mesh.normals, "VEC3", Type::Float, count, kVertices);
  if (!mesh.colors.empty()) {
    const int colors = buffers.add(mesh.colors, "VEC4", Type::Uint8, count, kVertices);
    buffers.accessor(colors)["normalized"] = true;
    attributes["COLOR_0"] = colors;
  }
  const int indices = buffers.add(mesh.triangles, "SCALAR", Type::Uint32, mesh.triangles.size() * 3,
                                  detail::GlbBuffers::kIndices);
  json["scenes"] = Json::array({Json{{"nodes", {0}}}});
  json["nodes"] = Json::array({detail::rootOfGlb()});
  json["nodes"][0]["mesh"] = 0;
  json["meshes"] = Json::array(
      {Json{{"primitives",
             Json::array({Json{{"attributes", attributes}, {"indices", indices}, {"mode", 4}}})}}});
  return json;
}

void appendChunk(std::string& out, const char (&type)[5], std::string_view data) {
  appendBytes(out, static_cast<uint32_t>(data.size()));
  out.append(type, 4);
  out += data;
}

}  // namespace

namespace detail {

void checkGlbMesh(const TriangleMesh& mesh) {
  const std::string name = "mesh to be written";
  const size_t count = mesh.positions.size();
  for (const auto& p : mesh.positions)
    if (!std::isfinite(p[0]) || !std::isfinite(p[1]) || !std::isfinite(p[2]))
      failGlb(name, "non_finite", "a position is not finite");
  if ((!mesh.normals.empty() && mesh.normals.size() != count) ||
      (!mesh.colors.empty() && mesh.colors.size() != count))
    failGlb(name, "accessor", "there are not as many normals or colours as positions");
  for (const auto& triangle : mesh.triangles)
    for (const uint32_t corner : triangle)
      if (corner >= count) failGlb(name, "index_range", "a triangle uses a missing vertex");
}

Json emptyGlbDocument() {
  return {{"asset", {{"version", "2.0"}, {"generator", "gs_world_builder"}}},
          {"scene", 0},
          {"scenes", Json::array({Json::object()})}};
}

// Column by column: x to x, y to -z, z to y.
Json rootOfGlb() {
  return {{"name", "gltf_from_map"}, {"matrix", {1, 0, 0, 0, 0, 0, -1, 0, 0, 1, 0, 0, 0, 0, 0, 1}}};
}

std::string assembleGlb(Json document, const GlbBuffers& buffers) {
  const bool has_bin = !buffers.bin().empty();
  if (has_bin) {
    document["accessors"] = buffers.accessors();
    document["bufferViews"] = buffers.views();
    document["buffers"] = Json::array({Json{{"byteLength", buffers.bin().size()}}});
  }
  std::string json = document.dump();
  json.resize((json.size() + 3) / 4 * 4, ' ');
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

}  // namespace detail

std::string encodeGlb(const TriangleMesh& mesh) {
  detail::checkGlbMesh(mesh);
  detail::GlbBuffers buffers;
  Json document = documentOf(mesh, buffers);
  return detail::assembleGlb(std::move(document), buffers);
}

}  // namespace gs
