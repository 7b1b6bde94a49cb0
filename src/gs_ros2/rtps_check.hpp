// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "gs/core/bytes.hpp"

namespace gs_ros2 {

// What of a datagram may be handed to Fast DDS 2.9.1: an RTPS 2.x message (OMG DDSI-RTPS 2.3,
// chapter 9.4) whose every part lies inside it and whose numbers make sense. Empty when it is none.
//
// That version adds to sequence numbers until an assertion fails, loops over gaps of any length,
// takes the size of a fragment's payload on trust, and computes the size of data from an offset
// that nobody checked. So this is stricter than the standard where ROS 2 nodes of every vendor are:
// - sequence numbers lie between 1 and 2^48, sets of them in their 256 bits, gaps are finite, and
// so
//   is what a heartbeat makes a reader skip;
// - data and its parameters fill their submessage, fragments cover what they say;
// - whoever announces itself or its endpoints has one GUID, in the header and in what is announced;
// - there is no security and no INFO_SOURCE, which lets one speak for another;
// - from the first word of a vendor's own on the rest is left out: Fast DDS ends messages with
//   statistics, which are of no use here and which it also takes on trust.
// What it lets through may still be nonsense; it is no nonsense that ends the program.
gs::Bytes soundRtps(gs::Bytes datagram);

}  // namespace gs_ros2
