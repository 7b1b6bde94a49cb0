// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <functional>
#include <optional>
#include <string>

#include "gs_ros2/wire.hpp"

namespace gs_ros2 {

using GetVariable = std::function<std::optional<std::string>(const char* name)>;

// The real environment; empty variables count as absent, as in ROS.
std::optional<std::string> environmentVariable(const char* name);

// Versions of simulation_interfaces, which define two requests differently.
enum class StandardInterfaces { V1, V2 };

// By ROS_DISTRO: version 1 up to Kilted, version 2 for later ones and where nothing is said.
StandardInterfaces standardInterfacesFrom(const GetVariable& variable = environmentVariable);

// ROS_DOMAIN_ID, ROS_LOCALHOST_ONLY, ROS_AUTOMATIC_DISCOVERY_RANGE, ROS_STATIC_PEERS, ROS_DISTRO.
// Throws gs::Error (CONFIG_INVALID) for a domain that is no number.
WireSettings wireSettingsFrom(const GetVariable& variable = environmentVariable);

}  // namespace gs_ros2
