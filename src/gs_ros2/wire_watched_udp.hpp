// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>

#include <fastdds/rtps/transport/ChainingTransportDescriptor.h>

#include "gs_ros2/wire_watch.hpp"

// Included by wire_*.cpp only, as all that names Fast DDS.
namespace gs_ros2 {

// A transport of the library, with a watch that sees every datagram. What it sends is cut into
// smaller datagrams than what it takes: see kBulkDatagramBytes.
struct WatchedUdp : eprosima::fastdds::rtps::ChainingTransportDescriptor {
  WatchedUdp(std::shared_ptr<eprosima::fastdds::rtps::TransportDescriptorInterface> udp,
             std::shared_ptr<WireWatch> watching);

  eprosima::fastdds::rtps::TransportInterface* create_transport() const override;
  uint32_t max_message_size() const override;

  std::shared_ptr<WireWatch> watch;
};

}  // namespace gs_ros2
