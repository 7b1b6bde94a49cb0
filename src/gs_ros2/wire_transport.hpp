// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <atomic>
#include <cstdint>
#include <memory>
#include <vector>

#include <fastdds/rtps/transport/ChainingTransportDescriptor.h>
#include <fastdds/rtps/transport/UDPv4TransportDescriptor.h>

#include "gs_ros2/host_addresses.hpp"
#include "gs_ros2/wire_watch.hpp"

// Included by wire_*.cpp only, as all that names Fast DDS.
namespace gs_ros2 {

struct TransportSettings {
  bool is_this_host_only = false;
  std::vector<Ipv4> named_hosts;  // other hosts that are welcome all the same
};

// What came in; shared with the transport, which the library owns.
struct DatagramCounts {
  std::atomic<uint64_t> received = 0;
  std::atomic<uint64_t> damaged = 0;  // of them: no sound RTPS, dropped
  std::atomic<uint64_t> foreign = 0;  // of them: from hosts that are not welcome, dropped
};

// UDP as the library has it, with a guard at the door. No peer may make the library end the
// program, and version 2.9.1 checks little of what arrives, and that with assertions:
// - user data goes to each reader's own address; a multicast group is used only for a reader that
//   has nothing else. The library prefers groups that two readers share, and then misses the
//   channel to one of them;
// - a destination without a channel gets one before anything is sent to it;
// - a datagram that is no sound RTPS message (rtps_check.hpp) is dropped, and so is one in which a
//   reader breaks its word (reader_promises.hpp);
// - where only this host is meant, nothing is taken from others and nothing is sent to them.
// A watch sees every datagram that passes. What is sent is cut into smaller datagrams than what is
// taken: see kBulkDatagramBytes.
struct GuardedUdp : eprosima::fastdds::rtps::ChainingTransportDescriptor {
  GuardedUdp(const std::shared_ptr<eprosima::fastdds::rtps::UDPv4TransportDescriptor>& udp,
             TransportSettings chosen, std::shared_ptr<DatagramCounts> datagrams,
             std::shared_ptr<WireWatch> watching);

  eprosima::fastdds::rtps::TransportInterface* create_transport() const override;
  uint32_t max_message_size() const override;

  TransportSettings settings;
  std::shared_ptr<DatagramCounts> counts;
  std::shared_ptr<WireWatch> watch;
};

}  // namespace gs_ros2
