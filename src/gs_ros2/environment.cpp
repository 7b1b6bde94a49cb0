// SPDX-License-Identifier: Apache-2.0
#include "gs_ros2/environment.hpp"

#include <algorithm>
#include <charconv>
#include <cstdlib>

#include "gs/core/error.hpp"
#include "gs/core/log.hpp"

namespace gs_ros2 {
namespace {

uint32_t parseDomain(const std::string& text) {
  uint32_t domain = 0;
  const auto [end, problem] = std::from_chars(text.data(), text.data() + text.size(), domain);
  if (problem != std::errc() || end != text.data() + text.size())
    throw gs::Error({.code = gs::ErrorCode::ConfigInvalid,
                     .component = "ros2",
                     .message = "ROS_DOMAIN_ID is '" + text + "', which is no domain",
                     .details = {{"ROS_DOMAIN_ID", text}},
                     .suggestion = "Set ROS_DOMAIN_ID to a number from 0 to 101, or unset it."});
  return domain;
}

DiscoveryRange parseRange(const std::string& text) {
  if (text == "SUBNET" || text == "SYSTEM_DEFAULT") return DiscoveryRange::Subnet;
  if (text == "OFF") return DiscoveryRange::Off;
  if (text != "LOCALHOST")
    gs::logger("ros2").warn("ROS_AUTOMATIC_DISCOVERY_RANGE is '" + text +
                            "'; as in ROS this means LOCALHOST");
  return DiscoveryRange::Localhost;
}

std::vector<std::string> splitPeers(const std::string& text) {
  std::vector<std::string> peers;
  for (size_t begin = 0; begin <= text.size();) {
    const size_t end = std::min(text.find(';', begin), text.size());
    if (end > begin) peers.push_back(text.substr(begin, end - begin));
    begin = end + 1;
  }
  return peers;
}

}  // namespace

std::optional<std::string> environmentVariable(const char* name) {
  const char* value = std::getenv(name);
  return value && *value ? std::optional<std::string>(value) : std::nullopt;
}

StandardInterfaces standardInterfacesFrom(const GetVariable& variable) {
  const auto distro = variable("ROS_DISTRO");
  // The names go by the alphabet.
  const bool is_first = distro && *distro != "rolling" && *distro <= "kilted";
  return is_first ? StandardInterfaces::V1 : StandardInterfaces::V2;
}

WireSettings wireSettingsFrom(const GetVariable& variable) {
  WireSettings settings;
  if (const auto domain = variable("ROS_DOMAIN_ID")) settings.domain = parseDomain(*domain);
  if (const auto range = variable("ROS_AUTOMATIC_DISCOVERY_RANGE"))
    settings.range = parseRange(*range);
  // Deprecated, yet it overrides the range where it is set.
  if (const auto only = variable("ROS_LOCALHOST_ONLY"); only && (*only == "0" || *only == "1"))
    settings.range = *only == "1" ? DiscoveryRange::Localhost : DiscoveryRange::Subnet;
  if (const auto peers = variable("ROS_STATIC_PEERS")) settings.static_peers = splitPeers(*peers);
  if (settings.range == DiscoveryRange::Off) settings.static_peers.clear();
  if (const auto distro = variable("ROS_DISTRO"))
    // The names go by the alphabet; Humble and all before it write GIDs of 24 bytes.
    settings.gid_bytes = *distro == "rolling" || *distro > "humble" ? 16 : 24;
  return settings;
}

}  // namespace gs_ros2
