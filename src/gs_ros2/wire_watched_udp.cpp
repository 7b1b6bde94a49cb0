// SPDX-License-Identifier: Apache-2.0
#include "gs_ros2/wire_watched_udp.hpp"

#include <fastdds/rtps/network/SenderResource.h>
#include <fastdds/rtps/transport/ChainingTransport.h>
#include <fastdds/rtps/transport/TransportReceiverInterface.h>

#include "gs_ros2/bulk_pace.hpp"

namespace gs_ros2 {
namespace {

namespace fastdds = eprosima::fastdds::rtps;
namespace rtps = eprosima::fastrtps::rtps;

gs::Bytes asBytes(const rtps::octet* bytes, uint32_t size) {
  return {reinterpret_cast<const std::byte*>(bytes), size};
}

class WatchedUdpTransport final : public fastdds::ChainingTransport {
 public:
  explicit WatchedUdpTransport(const WatchedUdp& descriptor)
      : ChainingTransport(descriptor), descriptor_(descriptor) {}

  fastdds::TransportDescriptorInterface* get_configuration() override { return &descriptor_; }

  // The library calls this under one lock, so the copy needs none.
  bool send(rtps::SenderResource* sender, const rtps::octet* bytes, uint32_t size,
            rtps::LocatorsIterator* begin, rtps::LocatorsIterator* end,
            const std::chrono::steady_clock::time_point& timeout) override {
    const gs::Bytes message = descriptor_.watch->sending(asBytes(bytes, size), copy_);
    return sender->send(reinterpret_cast<const rtps::octet*>(message.data()), size, begin, end,
                        timeout);
  }

  void receive(fastdds::TransportReceiverInterface* next, const rtps::octet* bytes, uint32_t size,
               const rtps::Locator_t& local, const rtps::Locator_t& remote) override {
    descriptor_.watch->received(asBytes(bytes, size));
    next->OnDataReceived(bytes, size, local, remote);
  }

 private:
  WatchedUdp descriptor_;
  std::vector<std::byte> copy_;
};

}  // namespace

WatchedUdp::WatchedUdp(std::shared_ptr<fastdds::TransportDescriptorInterface> udp,
                       std::shared_ptr<WireWatch> watching)
    : ChainingTransportDescriptor(std::move(udp)), watch(std::move(watching)) {}

fastdds::TransportInterface* WatchedUdp::create_transport() const {
  return new WatchedUdpTransport(*this);
}

uint32_t WatchedUdp::max_message_size() const { return kBulkDatagramBytes; }

}  // namespace gs_ros2
