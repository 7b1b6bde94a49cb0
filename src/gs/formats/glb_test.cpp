// SPDX-License-Identifier: Apache-2.0
#include "gs/formats/glb.hpp"

#include <cmath>
#include <cstring>
#include <limits>

#include <gtest/gtest.h>
#include <tiny_gltf.h>

#include "gs/core/error.hpp"
#include "gs/core/rng.hpp"

namespace gs {
namespace {

std::string glbOf(std::string json, const std::string& bin) {
  json.resize((json.size() + 3) / 4 * 4, ' ');
  std::string out = "glTF";
  appendBytes(out, uint32_t{2});
  appendBytes(out, static_cast<uint32_t>(20 + json.size() + (bin.empty() ? 0 : 8 + bin.size())));
  appendBytes(out, static_cast<uint32_t>(json.size()));
  out += "JSON" + json;
  if (bin.empty()) return out;
  appendBytes(out, static_cast<uint32_t>(bin.size()));
  return out + std::string("BIN\0", 4) + bin;
}

TriangleMesh decode(std::string_view bytes) { return decodeGlb(asBytes(bytes), "x.glb"); }

std::string problemOf(std::string_view bytes) {
  try {
    decode(bytes);
  } catch (const Error& error) {
    EXPECT_EQ(error.report().code, ErrorCode::InputInvalid);
    EXPECT_EQ(error.report().component, "glb");
    EXPECT_EQ(error.report().details.text("file"), "x.glb");
    return error.report().details.text("problem");
  }
  return "";
}

// A file of the given parts, as text of JSON members.
struct Parts {
  std::string nodes = R"([{"mesh": 0}])";
  std::string primitive = R"({"attributes": {"POSITION": 0}})";
  std::string accessors =
      R"([{"bufferView": 0, "componentType": 5126, "count": 3, "type": "VEC3"}])";
  std::string views = R"([{"buffer": 0, "byteLength": 36}])";
  std::string extra = "";
  std::string bin = "";

  std::string glb() const {
    std::string data = bin;
    if (data.empty())
      for (const float value : {0.f, 0.f, 0.f, 1.f, 0.f, 0.f, 0.f, 1.f, 0.f})
        appendBytes(data, value);
    return glbOf(
        R"({"asset": {"version": "2.0"}, "scene": 0, "scenes": [{"nodes": [0]}], "nodes": )" +
            nodes + R"(, "meshes": [{"primitives": [)" + primitive + R"(]}], "accessors": )" +
            accessors + R"(, "bufferViews": )" + views + R"(, "buffers": [{"byteLength": )" +
            std::to_string(data.size()) + "}]" + extra + "}",
        data);
  }
};

TriangleMesh randomMesh(uint64_t seed) {
  Rng rng(seed);
  TriangleMesh mesh;
  const size_t vertices = 3 + rng.below(200);
  for (size_t i = 0; i < vertices; ++i) {
    // Any finite bits: denormals, negative zero and huge numbers come back too.
    std::array<float, 3> p;
    for (float& value : p) {
      const auto bits = static_cast<uint32_t>(rng.next());
      std::memcpy(&value, &bits, sizeof value);
      if (!std::isfinite(value)) value = -0.0f;
    }
    mesh.positions.push_back(p);
    if (seed % 2 == 0) mesh.normals.push_back({0, static_cast<float>(seed % 3 == 0), 1});
    if (seed % 3 != 0)
      mesh.colors.push_back(
          {static_cast<uint8_t>(rng.below(256)), 0, 255, static_cast<uint8_t>(rng.below(256))});
  }
  for (uint64_t i = 0; i <= rng.below(300); ++i)
    mesh.triangles.push_back({static_cast<uint32_t>(rng.below(vertices)),
                              static_cast<uint32_t>(rng.below(vertices)),
                              static_cast<uint32_t>(rng.below(vertices))});
  return mesh;
}

template <typename T>
bool isBitEqual(const std::vector<T>& a, const std::vector<T>& b) {
  return a.size() == b.size() &&
         (a.empty() || std::memcmp(a.data(), b.data(), a.size() * sizeof(T)) == 0);
}

TEST(Glb, KeepsEveryBitOfWhatItWrote) {
  for (uint64_t seed = 0; seed < 60; ++seed) {
    const TriangleMesh mesh = randomMesh(seed);
    const std::string bytes = encodeGlb(mesh);
    const TriangleMesh read = decode(bytes);
    EXPECT_EQ(read, mesh);
    EXPECT_TRUE(isBitEqual(read.positions, mesh.positions));  // == takes -0 for 0
    EXPECT_TRUE(isBitEqual(read.normals, mesh.normals));
    EXPECT_EQ(encodeGlb(read), bytes);
  }
  EXPECT_EQ(decode(encodeGlb({})), TriangleMesh{});
}

// Hills over `size` metres in steps of 0.5 m, far from the origin of the map.
TriangleMesh hills(int size) {
  TriangleMesh mesh;
  const auto columns = static_cast<uint32_t>(2 * size + 1);
  for (uint32_t row = 0; row < columns; ++row)
    for (uint32_t col = 0; col < columns; ++col) {
      const float x = 0.5f * static_cast<float>(col), y = 0.5f * static_cast<float>(row);
      mesh.positions.push_back({2000 + x, -900 + y, 3 * std::sin(0.1f * x) * std::cos(0.07f * y)});
      mesh.colors.push_back({static_cast<uint8_t>(row), static_cast<uint8_t>(col), 7, 200});
    }
  for (uint32_t row = 0; row + 1 < columns; ++row)
    for (uint32_t col = 0; col + 1 < columns; ++col) {
      const uint32_t v = row * columns + col;
      mesh.triangles.push_back({v, v + 1, v + columns});
      mesh.triangles.push_back({v + 1, v + columns + 1, v + columns});
    }
  return mesh;
}

// The corners of all triangles with their colours, in an order of their own.
std::vector<std::array<int64_t, 4>> cornersOf(const TriangleMesh& mesh) {
  std::vector<std::array<int64_t, 4>> corners;
  for (const auto& t : mesh.triangles)
    for (const uint32_t v : t) {
      const auto& p = mesh.positions[v];
      const auto& c = mesh.colors[v];
      corners.push_back({std::llround(p[0] / 0.002), std::llround(p[1] / 0.002),
                         std::llround(p[2] / 0.002), c[0] * 256 + c[1]});
    }
  std::sort(corners.begin(), corners.end());
  return corners;
}

TEST(Glb, CompactFilesAreSmallerAndAMillimetreOff) {
  const TriangleMesh mesh = hills(150);  // several blocks, and more vertices than 16 bits number
  ASSERT_GT(mesh.positions.size(), 65'535u);
  const std::string compact = encodeCompactGlb(mesh);
  EXPECT_LT(compact.size(), 0.65 * static_cast<double>(encodeGlb(mesh).size()));
  const TriangleMesh read = decode(compact);
  const auto wanted = cornersOf(mesh), got = cornersOf(read);
  ASSERT_EQ(got.size(), wanted.size());
  for (size_t i = 0; i < got.size(); ++i) ASSERT_EQ(got[i], wanted[i]) << i;
  EXPECT_EQ(encodeCompactGlb(read), encodeCompactGlb(decode(encodeCompactGlb(read))));
  EXPECT_EQ(decode(encodeCompactGlb({})), TriangleMesh{});
}

TEST(Glb, ACompactTriangleMayBeHuge) {
  const TriangleMesh mesh{.positions = {{0, 0, 0}, {3000, 0, 0}, {0, 0, -3000}},
                          .triangles = {{0, 1, 2}}};
  const TriangleMesh read = decode(encodeCompactGlb(mesh));
  ASSERT_EQ(read.positions.size(), 3u);
  EXPECT_NEAR(read.positions[1][0], 3000, 0.04);
  EXPECT_NEAR(read.positions[2][2], -3000, 0.04);
  EXPECT_THROW(encodeCompactGlb({.positions = {{3e7f, 0, 0}}}), Error);
}

TEST(Glb, IsReadByTinyGltfToo) {
  const TriangleMesh mesh = randomMesh(2);
  const std::string bytes = encodeGlb(mesh);
  tinygltf::TinyGLTF loader;
  tinygltf::Model model;
  std::string error, warning;
  ASSERT_TRUE(loader.LoadBinaryFromMemory(&model, &error, &warning,
                                          reinterpret_cast<const unsigned char*>(bytes.data()),
                                          static_cast<unsigned>(bytes.size())))
      << error;
  EXPECT_EQ(error + warning, "");
  const auto& primitive = model.meshes.at(0).primitives.at(0);
  EXPECT_EQ(model.accessors.at(static_cast<size_t>(primitive.attributes.at("POSITION"))).count,
            mesh.positions.size());
  EXPECT_EQ(model.accessors.at(static_cast<size_t>(primitive.indices)).count,
            mesh.triangles.size() * 3);
}

TEST(Glb, TurnsYUpIntoTheMapFrame) {
  const TriangleMesh mesh = decode(Parts{}.glb());
  ASSERT_EQ(mesh.positions.size(), 3u);
  EXPECT_EQ(mesh.positions[2], (std::array<float, 3>{0, 0, 1}));  // y of glTF is up
  EXPECT_EQ(mesh.triangles, (std::vector<std::array<uint32_t, 3>>{{0, 1, 2}}));
  EXPECT_TRUE(mesh.normals.empty());
  EXPECT_TRUE(mesh.colors.empty());
}

TEST(Glb, AppliesNestedTransformsAndMirrors) {
  Parts parts;
  parts.nodes =
      R"([{"children": [1], "translation": [10, 0, 0], "scale": [2, 2, 2]},
          {"mesh": 0, "rotation": [0, 0, 0.70710678118654752, 0.70710678118654752]}])";
  const TriangleMesh turned = decode(parts.glb());  // x to y, then doubled, then moved, then z up
  EXPECT_NEAR(turned.positions[1][0], 10, 1e-6);
  EXPECT_NEAR(turned.positions[1][2], 2, 1e-6);
  EXPECT_NEAR(turned.positions[2][0], 8, 1e-6);
  parts.nodes = R"([{"mesh": 0, "matrix": [-1,0,0,0, 0,1,0,0, 0,0,1,0, 0,0,0,1]}])";
  EXPECT_EQ(decode(parts.glb()).triangles[0], (std::array<uint32_t, 3>{0, 2, 1}));
}

TEST(Glb, ReadsStripsAndFans) {
  Parts parts;
  for (const float value : {0.f, 0.f, 0.f, 1.f, 0.f, 0.f, 0.f, 1.f, 0.f, 1.f, 1.f, 0.f})
    appendBytes(parts.bin, value);
  parts.views = R"([{"buffer": 0, "byteLength": 48}])";
  parts.accessors = R"([{"bufferView": 0, "componentType": 5126, "count": 4, "type": "VEC3"}])";
  parts.primitive = R"({"attributes": {"POSITION": 0}, "mode": 5})";
  EXPECT_EQ(decode(parts.glb()).triangles,
            (std::vector<std::array<uint32_t, 3>>{{0, 1, 2}, {1, 3, 2}}));
  parts.primitive = R"({"attributes": {"POSITION": 0}, "mode": 6})";
  EXPECT_EQ(decode(parts.glb()).triangles,
            (std::vector<std::array<uint32_t, 3>>{{0, 1, 2}, {0, 2, 3}}));
  parts.primitive = R"({"attributes": {"POSITION": 0}, "mode": 1})";
  EXPECT_EQ(problemOf(parts.glb()), "unsupported");
}

TEST(Glb, ReadsEveryIndexTypeStridesSparseAndQuantisedData) {
  Parts parts;  // three positions as int8 with stride 4, then indices of each width
  parts.bin = std::string(
      "\x00\x00\x00\x09"
      "\x7f\x00\x00\x09"
      "\x00\x81\x00\x09",
      12);
  parts.bin += std::string("\x02\x01\x00\x00", 4);                  // uint8 at 12
  parts.bin += std::string("\x02\x00\x01\x00\x00\x00\x00\x00", 8);  // uint16 at 16
  for (const uint32_t i : {2, 1, 0}) appendBytes(parts.bin, i);     // uint32 at 24
  for (const int type : {5121, 5123, 5125}) {
    const int offset = type == 5121 ? 12 : type == 5123 ? 16 : 24;
    parts.views = R"([{"buffer": 0, "byteLength": 12, "byteStride": 4},
                      {"buffer": 0, "byteLength": 24, "byteOffset": 12}])";
    parts.accessors = R"([{"bufferView": 0, "componentType": 5120, "count": 3, "type": "VEC3",
                           "normalized": true, "sparse": {"count": 1,
                           "indices": {"bufferView": 1, "byteOffset": 1, "componentType": 5121},
                           "values": {"bufferView": 0, "byteOffset": 8}}},
                          {"bufferView": 1, "count": 3, "type": "SCALAR", "byteOffset": )" +
                      std::to_string(offset - 12) + R"(, "componentType": )" +
                      std::to_string(type) + "}]";
    parts.primitive = R"({"attributes": {"POSITION": 0}, "indices": 1})";
    const TriangleMesh mesh = decode(parts.glb());
    EXPECT_EQ(mesh.triangles, (std::vector<std::array<uint32_t, 3>>{{2, 1, 0}}));
    EXPECT_EQ(mesh.positions[2], (std::array<float, 3>{0, 0, -1}));
    EXPECT_EQ(mesh.positions[1], (std::array<float, 3>{0, 0, -1}));  // replaced by the sparse one
  }
}

TEST(Glb, RefusesAccessorsThatLeaveTheFile) {
  const auto withAccessor = [](const std::string& accessor) {
    return problemOf(Parts{.accessors = "[{" + accessor + "}]"}.glb());
  };
  const std::string vec3 = R"("componentType": 5126, "type": "VEC3")";
  EXPECT_EQ(withAccessor(vec3 + R"(, "bufferView": 0, "count": 4)"), "accessor");
  EXPECT_EQ(withAccessor(vec3 + R"(, "bufferView": 0, "count": 9223372036854775807)"), "accessor");
  EXPECT_EQ(withAccessor(vec3 + R"(, "bufferView": 0, "count": -1)"), "accessor");
  EXPECT_EQ(withAccessor(vec3 + R"(, "bufferView": 0, "count": 3, "byteOffset": 4)"), "accessor");
  EXPECT_EQ(withAccessor(vec3 + R"(, "bufferView": 0, "count": 3, "byteOffset": -4)"), "accessor");
  EXPECT_EQ(withAccessor(vec3 + R"(, "count": 1000000000000)"), "accessor");
  EXPECT_EQ(withAccessor(vec3 + R"(, "count": 1000000000000, "sparse": {})"), "accessor");
  EXPECT_EQ(withAccessor(vec3 + R"(, "bufferView": 7, "count": 3)"), "json");
  EXPECT_EQ(withAccessor(R"("componentType": 1, "type": "VEC3", "bufferView": 0, "count": 3)"),
            "accessor");
  EXPECT_EQ(withAccessor(R"("componentType": 5126, "type": "VEC2", "bufferView": 0, "count": 3)"),
            "accessor");
  EXPECT_EQ(problemOf(Parts{.views = R"([{"buffer": 0, "byteLength": 37}])"}.glb()), "accessor");
  EXPECT_EQ(problemOf(Parts{.views = R"([{"buffer": 0, "byteLength": 9223372036854775807,
                                          "byteOffset": 9223372036854775807}])"}
                          .glb()),
            "accessor");
  EXPECT_EQ(
      problemOf(Parts{.views = R"([{"buffer": 0, "byteLength": 36, "byteStride": 4}])"}.glb()),
      "accessor");
}

TEST(Glb, RefusesIndicesOutOfRangeAndNumbersThatAreNone) {
  Parts parts;
  parts.accessors = R"([{"bufferView": 0, "componentType": 5126, "count": 2, "type": "VEC3"},
                        {"bufferView": 0, "componentType": 5125, "count": 6, "type": "SCALAR"}])";
  parts.primitive = R"({"attributes": {"POSITION": 0}, "indices": 1})";
  EXPECT_EQ(problemOf(parts.glb()), "index_range");  // 1.0f as an index
  Parts nan;
  for (int i = 0; i < 9; ++i) appendBytes(nan.bin, std::numeric_limits<float>::quiet_NaN());
  EXPECT_EQ(problemOf(nan.glb()), "non_finite");
  EXPECT_EQ(problemOf(Parts{.nodes = R"([{"mesh": 0, "scale": [1e300, 1e300, 1e300]}])"}.glb()),
            "non_finite");
}

TEST(Glb, RefusesNodesThatAreNoTree) {
  EXPECT_EQ(problemOf(Parts{.nodes = R"([{"children": [0]}])"}.glb()), "nodes");
  EXPECT_EQ(problemOf(Parts{.nodes = R"([{"children": [1, 1]}, {}])"}.glb()), "nodes");
  std::string chain = "[";
  for (int i = 1; i < 1000; ++i) chain += R"({"children": [)" + std::to_string(i) + "]},";
  EXPECT_EQ(problemOf(Parts{.nodes = chain + "{}]"}.glb()), "nodes");
  EXPECT_EQ(problemOf(Parts{.nodes = R"([{"mesh": 3}])"}.glb()), "json");
  EXPECT_EQ(problemOf(Parts{.nodes = R"([5])"}.glb()), "json");
}

TEST(Glb, OpensNoOtherFileAndKnowsWhatItDoesNotKnow) {
  EXPECT_EQ(
      problemOf(Parts{.extra = R"(, "extensionsRequired": ["KHR_draco_mesh_compression"])"}.glb()),
      "unsupported");
  EXPECT_EQ(problemOf(Parts{.extra = R"(, "extensionsRequired": ["KHR_mesh_quantization"])"}.glb()),
            "");
  EXPECT_EQ(problemOf(Parts{.extra = R"(, "images": [{"uri": "/etc/passwd"}])"}.glb()), "");
  std::string external = Parts{}.glb();
  const size_t at = external.find("\"byteLength\": 36}]}");
  external.replace(at, 19, "\"uri\":\"a.bin\"}]   }");
  EXPECT_EQ(problemOf(external), "unsupported");
}

TEST(Glb, RefusesDamagedContainers) {
  const std::string good = Parts{}.glb();
  EXPECT_EQ(problemOf(""), "header");
  EXPECT_EQ(problemOf("solid cube"), "header");
  EXPECT_EQ(problemOf(glbOf("{", "")), "json");
  EXPECT_EQ(problemOf(glbOf("[]", "")), "json");
  EXPECT_EQ(problemOf(glbOf(R"({"asset": {"version": "1.0"}})", "")), "json");
  for (size_t size = 12; size < good.size(); ++size)
    EXPECT_EQ(problemOf(std::string_view(good).substr(0, size)), "truncated") << size;
}

TEST(Glb, RefusesToWriteWhatItWouldNotRead) {
  TriangleMesh mesh{.positions = {{0, 0, 0}}, .triangles = {{0, 0, 1}}};
  EXPECT_THROW(encodeGlb(mesh), Error);
  mesh.triangles = {{0, 0, 0}};
  mesh.colors.resize(2);
  EXPECT_THROW(encodeGlb(mesh), Error);
  mesh.colors.clear();
  mesh.positions[0][1] = HUGE_VALF;
  EXPECT_THROW(encodeGlb(mesh), Error);
}

}  // namespace
}  // namespace gs
