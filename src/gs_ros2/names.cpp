// SPDX-License-Identifier: Apache-2.0
#include "gs_ros2/names.hpp"

#include <algorithm>

namespace gs_ros2 {
namespace {

// DDS topic names live in a buffer of 255 characters; prefix and suffix need room.
constexpr size_t kMaxLength = 240;

bool isLetter(char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_'; }
bool isDigit(char c) { return c >= '0' && c <= '9'; }

std::string problemWithToken(std::string_view token) {
  if (token.empty()) return "has an empty part";
  if (isDigit(token[0])) return "has a part that begins with a digit";
  const bool is_word =
      std::all_of(token.begin(), token.end(), [](char c) { return isLetter(c) || isDigit(c); });
  return is_word ? "" : "may contain letters, digits, '_' and '/' only";
}

std::string join(std::string_view parent, std::string_view child) {
  const bool is_root = parent == "/";
  return (is_root ? "" : std::string(parent)) + "/" + std::string(child);
}

const Remap* findRemap(std::string_view special, const std::string& node,
                       const std::vector<Remap>& remaps) {
  const auto found = std::find_if(remaps.begin(), remaps.end(), [&](const Remap& remap) {
    return remap.from == special && (remap.node.empty() || remap.node == node);
  });
  return found == remaps.end() ? nullptr : &*found;
}

}  // namespace

std::string NodeName::full() const { return join(ns, name); }

std::string NodeName::logger() const {
  std::string dotted = full().substr(1);
  std::replace(dotted.begin(), dotted.end(), '/', '.');
  return dotted;
}

std::string problemWithName(std::string_view name) {
  if (name.empty()) return "is empty";
  if (name.size() > kMaxLength) return "is too long";
  if (name.starts_with("~/")) name.remove_prefix(2);
  else if (name.starts_with("/")) name.remove_prefix(1);
  for (;;) {
    const size_t slash = name.find('/');
    if (auto problem = problemWithToken(name.substr(0, slash)); !problem.empty()) return problem;
    if (slash == std::string_view::npos) return "";
    name.remove_prefix(slash + 1);
  }
}

std::string problemWithNodeName(std::string_view name) {
  if (name.size() > kMaxLength) return "is too long";
  return problemWithToken(name);
}

std::string problemWithNamespace(std::string_view ns) {
  if (ns == "/") return "";
  if (!ns.starts_with("/")) return "must begin with '/'";
  return problemWithName(ns);
}

std::string expandName(std::string_view name, const NodeName& node) {
  if (name.starts_with("/")) return std::string(name);
  if (name == "~") return node.full();
  if (name.starts_with("~/")) return join(node.full(), name.substr(2));
  return join(node.ns, name);
}

std::string resolveName(std::string_view name, const NodeName& node,
                        const std::vector<Remap>& remaps) {
  const std::string full = expandName(name, node);
  for (const Remap& remap : remaps) {
    if (remap.from.starts_with("__")) continue;
    if (!remap.node.empty() && remap.node != node.name) continue;
    if (expandName(remap.from, node) == full) return expandName(remap.to, node);
  }
  return full;
}

NodeName resolveNodeName(const NodeName& chosen, const std::vector<Remap>& remaps) {
  NodeName node = chosen;
  if (const Remap* ns = findRemap("__ns", chosen.name, remaps)) node.ns = ns->to;
  const Remap* name = findRemap("__node", chosen.name, remaps);
  if (!name) name = findRemap("__name", chosen.name, remaps);
  if (name) node.name = name->to;
  return node;
}

std::string topicForDds(std::string_view full_name) { return "rt" + std::string(full_name); }
std::string requestForDds(std::string_view full_name) {
  return "rq" + std::string(full_name) + "Request";
}
std::string replyForDds(std::string_view full_name) {
  return "rr" + std::string(full_name) + "Reply";
}

}  // namespace gs_ros2
