// SPDX-License-Identifier: Apache-2.0
#include "gs_ros2/simulation_services.hpp"

#include "gs_sim/simulation_services.hpp"

namespace gs_ros2 {

void serveSimulation(Node& node, gs_sim::SimulationHost& host) {
  for (gs_sim::SimulationService& service : gs_sim::simulationServices(host))
    node.addService({.name = node.resolve(service.name),
                     .request_type = gs::toDdsTypeName(service.request.type.name),
                     .request_hash = gs::rosTypeHash(service.request),
                     .response_type = gs::toDdsTypeName(service.response.type.name),
                     .response_hash = gs::rosTypeHash(service.response)},
                    std::move(service.prepare));
}

}  // namespace gs_ros2
