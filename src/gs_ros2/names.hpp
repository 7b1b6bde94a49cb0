// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <string_view>
#include <vector>

// ROS 2 names: relative and private ones made whole, remapped, and spelled for DDS.
namespace gs_ros2 {

struct NodeName {
  std::string ns = "/";  // "/" or "/a/b"
  std::string name;

  std::string full() const;    // "/ns/name"
  std::string logger() const;  // "ns.name"
  bool operator==(const NodeName&) const = default;
};

// `from:=to`, or `node:from:=to` which concerns one node only.
struct Remap {
  std::string node;  // empty: every node
  std::string from, to;
  bool operator==(const Remap&) const = default;
};

// What is wrong with a name as ROS 2 sees it; empty when it may be used.
std::string problemWithName(std::string_view name);
std::string problemWithNodeName(std::string_view name);
std::string problemWithNamespace(std::string_view ns);

// "points" -> "/ns/points", "~/x" -> "/ns/node/x", "/a" stays.
std::string expandName(std::string_view name, const NodeName& node);

// Expanded, then the first remap that fits, its target expanded too.
std::string resolveName(std::string_view name, const NodeName& node,
                        const std::vector<Remap>& remaps);

// `__node`, `__name` and `__ns` of the remaps applied to the name that the program chose.
NodeName resolveNodeName(const NodeName& chosen, const std::vector<Remap>& remaps);

std::string topicForDds(std::string_view full_name);    // "/a" -> "rt/a"
std::string requestForDds(std::string_view full_name);  // "/a" -> "rq/aRequest"
std::string replyForDds(std::string_view full_name);    // "/a" -> "rr/aReply"

}  // namespace gs_ros2
