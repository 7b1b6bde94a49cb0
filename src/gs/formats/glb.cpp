// SPDX-License-Identifier: Apache-2.0
#include "gs/formats/glb.hpp"

#include <algorithm>
#include <cmath>

#include "gs/core/linear.hpp"
#include "gs/formats/gltf_accessor.hpp"

namespace gs {
namespace {

using detail::Accessor;
using detail::failGlb;
using detail::Gltf;

constexpr uint32_t kMagic = 0x46546C67;      // "glTF"
constexpr uint32_t kJsonChunk = 0x4E4F534A;  // "JSON"
constexpr uint32_t kBinChunk = 0x004E4942;   // "BIN\0"

// Files that need more than this to be understood are refused; these only change how triangles
// look, or are read anyway.
bool isHarmless(std::string_view extension) {
  return extension.starts_with("KHR_materials_") || extension.starts_with("KHR_texture_") ||
         extension.starts_with("EXT_texture_") || extension == "KHR_lights_punctual" ||
         extension == "KHR_mesh_quantization";
}

Gltf parseChunks(Bytes bytes, const std::string& name) {
  ByteCursor cursor(bytes);
  const auto magic = cursor.take<uint32_t>();
  const auto version = cursor.take<uint32_t>();
  const auto length = cursor.take<uint32_t>();
  if (!magic || *magic != kMagic) failGlb(name, "header", "it does not begin with 'glTF'");
  if (!version || *version != 2) failGlb(name, "header", "it is not of version 2");
  if (!length || *length < 12 || *length > bytes.size())
    failGlb(name, "truncated", "it is shorter than its header says");
  cursor = ByteCursor(bytes.subspan(12, *length - 12));

  Gltf gltf{.file = name};
  std::string_view json;
  for (bool is_first = true; cursor.left() > 0; is_first = false) {
    const auto size = cursor.take<uint32_t>();
    const auto type = cursor.take<uint32_t>();
    const auto data = size && type ? cursor.take(*size) : std::nullopt;
    if (!data) failGlb(name, "truncated", "it ends within a chunk");
    if (is_first && *type != kJsonChunk) failGlb(name, "header", "its first chunk is not JSON");
    if (is_first) json = asText(*data);
    else if (*type == kBinChunk && gltf.bin.empty()) gltf.bin = *data;
  }
  std::vector<Problem> problems;
  auto root = parseDocument(json, DocumentFormat::Json, problems);
  if (!root || root->kind != Node::Kind::Map)
    failGlb(name, "json", problems.empty() ? "its JSON is not an object" : toString(problems[0]));
  gltf.root = std::move(*root);
  return gltf;
}

void checkAsset(const Gltf& gltf) {
  const Node* asset = gltf.root.find("asset");
  const Node* version = asset == nullptr ? nullptr : asset->find("version");
  if (version == nullptr || !version->findString().value_or("").starts_with("2."))
    failGlb(gltf.file, "json", "asset.version is not 2.x");
  const Node* required = gltf.root.find("extensionsRequired");
  if (required == nullptr) return;
  for (const Node& extension : required->items)
    if (!isHarmless(extension.scalar))
      failGlb(gltf.file, "unsupported",
              "it requires the extension '" + extension.scalar.substr(0, 60) + "'");
}

// A list of exactly `count` finite numbers, or nothing when the member is absent.
std::vector<double> numbersOf(const Gltf& gltf, const Node& node, const char* key, size_t count) {
  const Node* member = node.find(key);
  if (member == nullptr) return {};
  std::vector<double> numbers;
  for (const Node& item : member->items) {
    const auto number = item.findDouble();
    if (!number) failGlb(gltf.file, "json", std::string(key) + " of a node is not made of numbers");
    numbers.push_back(*number);
  }
  if (numbers.size() != count)
    failGlb(gltf.file, "json",
            std::string(key) + " of a node does not have " + std::to_string(count) + " numbers");
  return numbers;
}

Eigen::Matrix4d parentFromNode(const Gltf& gltf, const Node& node) {
  Eigen::Matrix4d matrix = Eigen::Matrix4d::Identity();
  if (const auto m = numbersOf(gltf, node, "matrix", 16); !m.empty()) {
    matrix = Eigen::Map<const Eigen::Matrix4d>(m.data());  // both are column-major
  } else {
    const auto t = numbersOf(gltf, node, "translation", 3);
    const auto r = numbersOf(gltf, node, "rotation", 4);  // x y z w
    const auto s = numbersOf(gltf, node, "scale", 3);
    if (!r.empty()) {
      const Eigen::Quaterniond rotation(r[3], r[0], r[1], r[2]);
      if (!(rotation.norm() > 0)) failGlb(gltf.file, "json", "rotation of a node is zero");
      matrix.topLeftCorner<3, 3>() = rotation.normalized().toRotationMatrix();
    }
    if (!s.empty()) matrix.topLeftCorner<3, 3>() *= Eigen::Vector3d(s[0], s[1], s[2]).asDiagonal();
    if (!t.empty()) matrix.topRightCorner<3, 1>() = Eigen::Vector3d(t[0], t[1], t[2]);
  }
  if (!matrix.allFinite()) failGlb(gltf.file, "non_finite", "a node has no finite transform");
  return matrix;
}

// y up to z up: (x, y, z) becomes (x, -z, y).
Eigen::Matrix4d mapFromGltf() {
  Eigen::Matrix4d matrix;
  matrix << 1, 0, 0, 0,  //
      0, 0, -1, 0,       //
      0, 1, 0, 0,        //
      0, 0, 0, 1;
  return matrix;
}

// Walks the default scene and gathers its triangles.
class MeshReader {
 public:
  explicit MeshReader(const Gltf& gltf) : gltf_(gltf) {}

  TriangleMesh read() {
    const Node* nodes = gltf_.root.find("nodes");
    is_visited_.resize(nodes == nullptr ? 0 : nodes->items.size());
    if (gltf_.root.find("scenes") != nullptr) {
      const Node& scene = gltf_.at("scenes", detail::integerOf(gltf_, gltf_.root, "scene", 0));
      readChildren(scene, "nodes", mapFromGltf(), 0);
    }
    if (!all_have_normals_) mesh_.normals.clear();
    if (!all_have_colors_) mesh_.colors.clear();
    return std::move(mesh_);
  }

 private:
  void readChildren(const Node& node, const char* key, const Eigen::Matrix4d& map_from_node,
                    int depth) {
    const Node* children = node.find(key);
    if (children == nullptr) return;
    if (depth > kMaxGlbDepth) failGlb(gltf_.file, "nodes", "its nodes are nested too deeply");
    for (const Node& child : children->items) {
      const auto index = child.findInteger();
      if (!index) failGlb(gltf_.file, "json", "a list of nodes holds something else");
      const Node& child_node = gltf_.at("nodes", *index);
      // glTF's nodes are trees: one that is met twice would be a cycle or a second parent.
      if (is_visited_[static_cast<size_t>(*index)])
        failGlb(gltf_.file, "nodes", "node " + std::to_string(*index) + " has two parents");
      is_visited_[static_cast<size_t>(*index)] = true;
      readNode(child_node, map_from_node * parentFromNode(gltf_, child_node), depth);
    }
  }

  void readNode(const Node& node, const Eigen::Matrix4d& map_from_node, int depth) {
    if (node.find("mesh") != nullptr) {
      const Node& mesh = gltf_.at("meshes", detail::integerOf(gltf_, node, "mesh", -1));
      if (const Node* primitives = mesh.find("primitives"))
        for (const Node& primitive : primitives->items) readPrimitive(primitive, map_from_node);
    }
    readChildren(node, "children", map_from_node, depth + 1);
  }

  void readPrimitive(const Node& primitive, const Eigen::Matrix4d& map_from_node) {
    const int64_t mode = detail::integerOf(gltf_, primitive, "mode", 4);
    if (mode < 4 || mode > 6)
      failGlb(gltf_.file, "unsupported", "it has points or lines; only triangles can be hit");
    const Node* attributes = primitive.find("attributes");
    const Node empty;
    if (attributes == nullptr) attributes = &empty;
    if (attributes->find("POSITION") == nullptr) return;  // nothing to draw, says glTF
    const size_t first = mesh_.positions.size();
    const Accessor positions = attributeAt(*attributes, "POSITION", 3);
    if (positions.count > kMaxGlbVertices - first)
      failGlb(gltf_.file, "unsupported", "it has too many vertices");
    appendPositions(detail::loadFloats(gltf_, positions), map_from_node);
    appendNormals(*attributes, positions.count, map_from_node);
    appendColors(*attributes, positions.count);
    const bool is_mirrored = map_from_node.topLeftCorner<3, 3>().determinant() < 0;
    appendTriangles(cornersOf(primitive, positions.count), mode, static_cast<uint32_t>(first),
                    is_mirrored);
  }

  Accessor attributeAt(const Node& attributes, const char* name, int components) {
    const Accessor accessor =
        detail::accessorAt(gltf_, detail::integerOf(gltf_, attributes, name, -1));
    if (components != 0 && accessor.components != components)
      failGlb(gltf_.file, "accessor", std::string(name) + " is not a VEC3");
    return accessor;
  }

  void appendPositions(const std::vector<float>& xyz, const Eigen::Matrix4d& map_from_node) {
    const bool is_identity = map_from_node == Eigen::Matrix4d::Identity();
    for (size_t i = 0; i < xyz.size(); i += 3) {
      std::array<float, 3> p{xyz[i], xyz[i + 1], xyz[i + 2]};
      if (!is_identity) {
        const Eigen::Vector3d moved =
            (map_from_node * Eigen::Vector4d(p[0], p[1], p[2], 1)).head<3>();
        p = toFloats(moved);
      }
      if (!std::isfinite(p[0]) || !std::isfinite(p[1]) || !std::isfinite(p[2]))
        failGlb(gltf_.file, "non_finite", "a position is not finite");
      mesh_.positions.push_back(p);
    }
  }

  // A double beyond float's range becomes infinite here, and is refused by the caller.
  static std::array<float, 3> toFloats(const Eigen::Vector3d& v) {
    const auto narrow = [](double value) {
      return std::abs(value) <= std::numeric_limits<float>::max()
                 ? static_cast<float>(value)
                 : std::numeric_limits<float>::infinity();
    };
    return {narrow(v.x()), narrow(v.y()), narrow(v.z())};
  }

  void appendNormals(const Node& attributes, uint64_t count, const Eigen::Matrix4d& map_from_node) {
    all_have_normals_ = all_have_normals_ && attributes.find("NORMAL") != nullptr;
    if (!all_have_normals_) return;
    const Accessor accessor = attributeAt(attributes, "NORMAL", 3);
    if (accessor.count != count)
      failGlb(gltf_.file, "accessor", "there are not as many normals as positions");
    const std::vector<float> xyz = detail::loadFloats(gltf_, accessor);
    const bool is_identity = map_from_node == Eigen::Matrix4d::Identity();
    // Normals turn with the inverse transpose; the cofactors are that, but for a factor that
    // normalising removes, and exist for flat scalings too.
    const Eigen::Matrix3d m = map_from_node.topLeftCorner<3, 3>();
    Eigen::Matrix3d cofactors;
    for (int c = 0; c < 3; ++c) cofactors.col(c) = m.col((c + 1) % 3).cross(m.col((c + 2) % 3));
    if (m.determinant() < 0) cofactors = -cofactors;
    for (size_t i = 0; i < xyz.size(); i += 3) {
      std::array<float, 3> n{xyz[i], xyz[i + 1], xyz[i + 2]};
      if (!is_identity)
        n = toFloats((cofactors * Eigen::Vector3d(n[0], n[1], n[2])).stableNormalized());
      if (!std::isfinite(n[0]) || !std::isfinite(n[1]) || !std::isfinite(n[2]))
        failGlb(gltf_.file, "non_finite", "a normal is not finite");
      mesh_.normals.push_back(n);
    }
  }

  void appendColors(const Node& attributes, uint64_t count) {
    all_have_colors_ = all_have_colors_ && attributes.find("COLOR_0") != nullptr;
    if (!all_have_colors_) return;
    const Accessor accessor = attributeAt(attributes, "COLOR_0", 0);
    if (accessor.count != count || accessor.components < 3)
      failGlb(gltf_.file, "accessor", "COLOR_0 does not hold a colour for each position");
    const auto components = static_cast<size_t>(accessor.components);
    const std::vector<float> values = detail::loadFloats(gltf_, accessor);
    for (size_t i = 0; i < values.size(); i += components) {
      std::array<uint8_t, 4> color{255, 255, 255, 255};
      for (size_t c = 0; c < components; ++c) {
        const float value = values[i + c];  // written so that NaN becomes 0
        color[c] = value > 0 ? static_cast<uint8_t>(std::lround(std::min(value, 1.0f) * 255)) : 0;
      }
      mesh_.colors.push_back(color);
    }
  }

  std::vector<uint32_t> cornersOf(const Node& primitive, uint64_t vertices) {
    std::vector<uint32_t> corners;
    if (primitive.find("indices") == nullptr) {
      for (uint32_t i = 0; i < vertices; ++i) corners.push_back(i);
      return corners;
    }
    const Accessor accessor =
        detail::accessorAt(gltf_, detail::integerOf(gltf_, primitive, "indices", -1));
    corners = detail::loadIndices(gltf_, accessor);
    for (const uint32_t corner : corners)
      if (corner >= vertices)
        failGlb(
            gltf_.file, "index_range",
            "a triangle uses vertex " + std::to_string(corner) + " of " + std::to_string(vertices));
    return corners;
  }

  void appendTriangles(const std::vector<uint32_t>& corners, int64_t mode, uint32_t first,
                       bool is_mirrored) {
    const auto add = [&](uint32_t a, uint32_t b, uint32_t c) {
      if (is_mirrored) std::swap(b, c);
      mesh_.triangles.push_back({first + a, first + b, first + c});
    };
    const size_t step = mode == 4 ? 3 : 1;
    // Many nodes may show one mesh: a small file must not ask for all memory.
    if (corners.size() / step > kMaxGlbTriangles - mesh_.triangles.size())
      failGlb(gltf_.file, "unsupported", "it has too many triangles");
    for (size_t i = 0; i + 2 < corners.size(); i += step) {
      if (mode == 6) add(corners[0], corners[i + 1], corners[i + 2]);
      // Every second triangle of a strip runs the other way round.
      else if (mode == 5 && i % 2 == 1) add(corners[i], corners[i + 2], corners[i + 1]);
      else add(corners[i], corners[i + 1], corners[i + 2]);
    }
  }

  const Gltf& gltf_;
  TriangleMesh mesh_;
  std::vector<bool> is_visited_;
  bool all_have_normals_ = true;
  bool all_have_colors_ = true;
};

}  // namespace

TriangleMesh decodeGlb(Bytes bytes, const std::string& name) {
  const Gltf gltf = parseChunks(bytes, name);
  checkAsset(gltf);
  return MeshReader(gltf).read();
}

}  // namespace gs
