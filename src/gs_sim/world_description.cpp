// SPDX-License-Identifier: Apache-2.0
#include "gs_sim/world_description.hpp"

#include <utility>

namespace gs_sim {

WorldDescription describeWorld(const Simulator& simulator, std::shared_ptr<const WorldData> world,
                               std::shared_ptr<AutowareVehicle> autoware) {
  const FrameNames& frames = simulator.frames();
  std::vector<Topic> more;
  if (autoware) more = autowareTopics(frames, autoware);
  auto topics =
      std::make_shared<const TopicTable>(world, frames, simulator.sensors(), std::move(more));
  const Interface interface = autoware ? Interface::Autoware : Interface::Standard;
  return {.world = std::move(world),
          .frames = frames,
          .sensors = simulator.sensors(),
          .topics = std::move(topics),
          .commands = commandTopics(simulator.parameters().simulation.control_mode, interface),
          .autoware = std::move(autoware)};
}

}  // namespace gs_sim
