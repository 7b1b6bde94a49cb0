// SPDX-License-Identifier: Apache-2.0
#include "gs_ros2/host_addresses.hpp"

#include <algorithm>
#include <cstring>

#include <ifaddrs.h>
#include <netinet/in.h>

namespace gs_ros2 {
namespace {

constexpr std::chrono::seconds kBetweenLooks(1);

bool holds(const std::vector<Ipv4>& addresses, const Ipv4& wanted) {
  return std::find(addresses.begin(), addresses.end(), wanted) != addresses.end();
}

}  // namespace

std::vector<Ipv4> ownAddresses() {
  std::vector<Ipv4> found = {kLoopback};
  ifaddrs* list = nullptr;
  if (getifaddrs(&list) != 0) return found;
  for (const ifaddrs* each = list; each != nullptr; each = each->ifa_next) {
    if (each->ifa_addr == nullptr || each->ifa_addr->sa_family != AF_INET) continue;
    sockaddr_in address;
    std::memcpy(&address, each->ifa_addr, sizeof address);
    Ipv4 bytes;
    std::memcpy(bytes.data(), &address.sin_addr.s_addr, bytes.size());
    if (!holds(found, bytes)) found.push_back(bytes);
  }
  freeifaddrs(list);
  std::sort(found.begin() + 1, found.end());
  return found;
}

bool AllowedHosts::contains(const Ipv4& address) {
  if (isLoopback(address) || holds(named_, address)) return true;
  const std::lock_guard lock(mutex_);
  if (holds(own_, address)) return true;
  const auto now = std::chrono::steady_clock::now();
  if (now < next_look_) return false;
  next_look_ = now + kBetweenLooks;
  own_ = ownAddresses();
  return holds(own_, address);
}

}  // namespace gs_ros2
