// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "gs/msgs/builtin_interfaces.hpp"
#include "gs/msgs/geometry_msgs.hpp"
#include "gs/msgs/sensor_msgs.hpp"
#include "gs/msgs/std_msgs.hpp"

namespace gs::msgs {

// visualization_msgs/msg/UVCoordinate.
struct UVCoordinate {
  static constexpr const char* kRosType = "visualization_msgs/msg/UVCoordinate";

  float u = 0;
  float v = 0;

  static void fields(auto& self, auto&& visit) {
    visit("u", self.u);
    visit("v", self.v);
  }
  bool operator==(const UVCoordinate&) const = default;
};

// visualization_msgs/msg/MeshFile.
struct MeshFile {
  static constexpr const char* kRosType = "visualization_msgs/msg/MeshFile";

  std::string filename;
  std::vector<uint8_t> data;

  static void fields(auto& self, auto&& visit) {
    visit("filename", self.filename);
    visit("data", self.data);
  }
  bool operator==(const MeshFile&) const = default;
};

// visualization_msgs/msg/Marker.
struct Marker {
  static constexpr const char* kRosType = "visualization_msgs/msg/Marker";
  static constexpr int32_t kArrow = 0;
  static constexpr int32_t kCube = 1;
  static constexpr int32_t kSphere = 2;
  static constexpr int32_t kCylinder = 3;
  static constexpr int32_t kLineStrip = 4;
  static constexpr int32_t kLineList = 5;
  static constexpr int32_t kCubeList = 6;
  static constexpr int32_t kSphereList = 7;
  static constexpr int32_t kPoints = 8;
  static constexpr int32_t kTextViewFacing = 9;
  static constexpr int32_t kMeshResource = 10;
  static constexpr int32_t kTriangleList = 11;
  static constexpr int32_t kAdd = 0;
  static constexpr int32_t kModify = 0;
  static constexpr int32_t kDelete = 2;
  static constexpr int32_t kDeleteall = 3;

  Header header;
  std::string ns;
  int32_t id = 0;
  int32_t type = 0;
  int32_t action = 0;
  Pose pose;
  Vector3 scale;
  ColorRGBA color;
  Duration lifetime;
  bool frame_locked = false;
  std::vector<Point> points;
  std::vector<ColorRGBA> colors;
  std::string texture_resource;
  CompressedImage texture;
  std::vector<UVCoordinate> uv_coordinates;
  std::string text;
  std::string mesh_resource;
  MeshFile mesh_file;
  bool mesh_use_embedded_materials = false;

  static void constants(auto&& visit) {
    visit("ARROW", kArrow);
    visit("CUBE", kCube);
    visit("SPHERE", kSphere);
    visit("CYLINDER", kCylinder);
    visit("LINE_STRIP", kLineStrip);
    visit("LINE_LIST", kLineList);
    visit("CUBE_LIST", kCubeList);
    visit("SPHERE_LIST", kSphereList);
    visit("POINTS", kPoints);
    visit("TEXT_VIEW_FACING", kTextViewFacing);
    visit("MESH_RESOURCE", kMeshResource);
    visit("TRIANGLE_LIST", kTriangleList);
    visit("ADD", kAdd);
    visit("MODIFY", kModify);
    visit("DELETE", kDelete);
    visit("DELETEALL", kDeleteall);
  }
  static void fields(auto& self, auto&& visit) {
    visit("header", self.header);
    visit("ns", self.ns);
    visit("id", self.id);
    visit("type", self.type);
    visit("action", self.action);
    visit("pose", self.pose);
    visit("scale", self.scale);
    visit("color", self.color);
    visit("lifetime", self.lifetime);
    visit("frame_locked", self.frame_locked);
    visit("points", self.points);
    visit("colors", self.colors);
    visit("texture_resource", self.texture_resource);
    visit("texture", self.texture);
    visit("uv_coordinates", self.uv_coordinates);
    visit("text", self.text);
    visit("mesh_resource", self.mesh_resource);
    visit("mesh_file", self.mesh_file);
    visit("mesh_use_embedded_materials", self.mesh_use_embedded_materials);
  }
  bool operator==(const Marker&) const = default;
};

// visualization_msgs/msg/MarkerArray.
struct MarkerArray {
  static constexpr const char* kRosType = "visualization_msgs/msg/MarkerArray";

  std::vector<Marker> markers;

  static void fields(auto& self, auto&& visit) { visit("markers", self.markers); }
  bool operator==(const MarkerArray&) const = default;
};

}  // namespace gs::msgs
