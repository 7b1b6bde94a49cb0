// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <cmath>
#include <tuple>

#include <nlohmann/json.hpp>

#include "gs/formats/glb.hpp"
#include "gs/formats/glb_buffers.hpp"

// Small files for large meshes (KHR_mesh_quantization): 12 bytes a vertex and 6 a triangle, where
// floats and indices of 32 bits take 16 and 12.
namespace gs {
namespace {

using Json = nlohmann::ordered_json;
using Type = detail::ComponentType;

constexpr double kStep = 2 * kCompactGlbError;  // m; all parts share its grid, so no gap opens
constexpr double kBlock = 64;                   // m: parts are small enough for 16 bits of steps
constexpr size_t kMaxVertices = 65'535;         // of a part: glTF keeps the last index for itself
constexpr int64_t kMaxSteps = 65'535;

// Triangles with vertices numbered anew.
struct Part {
  std::vector<uint32_t> vertices;  // numbers in the mesh
  std::vector<uint16_t> corners;
};

// Block by block, in the order of the mesh within one.
std::vector<Part> partsOf(const TriangleMesh& mesh) {
  const auto block = [&](uint32_t t) {
    const auto& p = mesh.positions[mesh.triangles[t][0]];
    return std::tuple(std::floor(p[0] / kBlock), std::floor(p[1] / kBlock));
  };
  std::vector<uint32_t> order(mesh.triangles.size());
  for (uint32_t t = 0; t < order.size(); ++t) order[t] = t;
  std::stable_sort(order.begin(), order.end(),
                   [&](uint32_t a, uint32_t b) { return block(a) < block(b); });
  constexpr uint32_t kNone = 0xffffffff;
  std::vector<uint32_t> part_of(mesh.positions.size(), kNone);
  std::vector<uint16_t> number_in_part(mesh.positions.size());
  std::vector<Part> parts;
  for (size_t i = 0; i < order.size(); ++i) {
    const bool is_full = !parts.empty() && parts.back().vertices.size() + 3 > kMaxVertices;
    if (i == 0 || is_full || block(order[i]) != block(order[i - 1])) parts.emplace_back();
    const auto part = static_cast<uint32_t>(parts.size() - 1);
    for (const uint32_t v : mesh.triangles[order[i]]) {
      if (part_of[v] != part) {
        part_of[v] = part;
        number_in_part[v] = static_cast<uint16_t>(parts.back().vertices.size());
        parts.back().vertices.push_back(v);
      }
      parts.back().corners.push_back(number_in_part[v]);
    }
  }
  return parts;
}

// Positions as steps from an origin. The step is larger than usual where a part's triangles reach
// too far for 16 bits.
struct Quantised {
  double step = kStep;
  std::array<int64_t, 3> origin{};                 // in steps
  std::vector<std::array<uint16_t, 4>> positions;  // the fourth only fills up

  Quantised(const TriangleMesh& mesh, const Part& part) {
    while (!fits(mesh, part)) step *= 2;
    for (const uint32_t v : part.vertices) {
      std::array<uint16_t, 4> p{};
      for (size_t axis = 0; axis < 3; ++axis)
        p[axis] = static_cast<uint16_t>(steps(mesh.positions[v][axis]) - origin[axis]);
      positions.push_back(p);
    }
  }

 private:
  int64_t steps(float metres) const { return std::llround(static_cast<double>(metres) / step); }

  bool fits(const TriangleMesh& mesh, const Part& part) {
    std::array<int64_t, 3> high{};
    for (size_t axis = 0; axis < 3; ++axis) {
      origin[axis] = high[axis] = steps(mesh.positions[part.vertices.front()][axis]);
      for (const uint32_t v : part.vertices) {
        const int64_t value = steps(mesh.positions[v][axis]);
        origin[axis] = std::min(origin[axis], value);
        high[axis] = std::max(high[axis], value);
      }
      if (high[axis] - origin[axis] > kMaxSteps) return false;
    }
    return true;
  }
};

Json boundsOf(const Quantised& quantised, bool is_upper) {
  std::array<uint16_t, 4> bound = quantised.positions.front();
  for (const auto& p : quantised.positions)
    for (size_t axis = 0; axis < 3; ++axis)
      bound[axis] = is_upper ? std::max(bound[axis], p[axis]) : std::min(bound[axis], p[axis]);
  return {bound[0], bound[1], bound[2]};
}

// The accessors of a part, and its place among the others.
struct WrittenPart {
  Json primitive, node;
};

WrittenPart addPart(const TriangleMesh& mesh, const Part& part, detail::GlbBuffers& buffers) {
  const Quantised quantised(mesh, part);
  const size_t count = part.vertices.size();
  const int positions = buffers.add(quantised.positions, "VEC3", Type::Uint16, count,
                                    detail::GlbBuffers::kVertices, sizeof(uint16_t) * 4);
  buffers.accessor(positions)["min"] = boundsOf(quantised, false);
  buffers.accessor(positions)["max"] = boundsOf(quantised, true);
  Json attributes = {{"POSITION", positions}};
  if (!mesh.colors.empty()) {
    std::vector<std::array<uint8_t, 4>> colors;
    for (const uint32_t v : part.vertices) colors.push_back(mesh.colors[v]);
    const int accessor =
        buffers.add(colors, "VEC4", Type::Uint8, count, detail::GlbBuffers::kVertices);
    buffers.accessor(accessor)["normalized"] = true;
    attributes["COLOR_0"] = accessor;
  }
  const int indices = buffers.add(part.corners, "SCALAR", Type::Uint16, part.corners.size(),
                                  detail::GlbBuffers::kIndices);
  const auto metres = [&](size_t axis) {
    return static_cast<double>(quantised.origin[axis]) * quantised.step;
  };
  return {.primitive = {{"attributes", attributes}, {"indices", indices}, {"mode", 4}},
          .node = {{"translation", {metres(0), metres(1), metres(2)}},
                   {"scale", {quantised.step, quantised.step, quantised.step}}}};
}

}  // namespace

std::string encodeCompactGlb(const TriangleMesh& mesh) {
  detail::checkGlbMesh(mesh);
  for (const auto& p : mesh.positions)
    for (const float value : p)
      if (std::abs(value) > kMaxCompactGlb)
        detail::failGlb("mesh to be written", "unsupported",
                        "a position is too far out for a compact file");
  detail::GlbBuffers buffers;
  Json json = detail::emptyGlbDocument();
  const std::vector<Part> parts = partsOf(mesh);
  if (!parts.empty()) {
    Json nodes = Json::array({detail::rootOfGlb()}), meshes = Json::array();
    for (const Part& part : parts) {
      WrittenPart written = addPart(mesh, part, buffers);
      nodes[0]["children"].push_back(nodes.size());
      written.node["mesh"] = meshes.size();
      nodes.push_back(std::move(written.node));
      meshes.push_back({{"primitives", Json::array({std::move(written.primitive)})}});
    }
    json["extensionsUsed"] = json["extensionsRequired"] = Json::array({"KHR_mesh_quantization"});
    json["scenes"] = Json::array({Json{{"nodes", {0}}}});
    json["nodes"] = std::move(nodes);
    json["meshes"] = std::move(meshes);
  }
  return detail::assembleGlb(std::move(json), buffers);
}

}  // namespace gs
