// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>
#include <vector>

#include "gs_sim/autoware_topics.hpp"
#include "gs_sim/control_messages.hpp"
#include "gs_sim/simulator.hpp"
#include "gs_sim/topic_table.hpp"

namespace gs_sim {

// What peers need to know about a world besides the steps in it.
struct WorldDescription {
  std::shared_ptr<const WorldData> world;
  FrameNames frames;
  std::vector<SensorDescription> sensors;  // those simulated
  std::shared_ptr<const TopicTable> topics;
  std::vector<CommandTopic> commands;         // see commandTopics()
  std::shared_ptr<AutowareVehicle> autoware;  // null: its interface is not spoken
};

// `autoware` outlives the worlds of a run, as what it was told does.
WorldDescription describeWorld(const Simulator& simulator, std::shared_ptr<const WorldData> world,
                               std::shared_ptr<AutowareVehicle> autoware = nullptr);

}  // namespace gs_sim
