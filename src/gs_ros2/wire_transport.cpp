// SPDX-License-Identifier: Apache-2.0
#include "gs_ros2/wire_transport.hpp"

#include <algorithm>
#include <exception>
#include <set>

#include <fastdds/rtps/common/LocatorSelector.hpp>
#include <fastdds/rtps/network/SenderResource.h>
#include <fastdds/rtps/transport/ChainingTransport.h>
#include <fastdds/rtps/transport/TransportReceiverInterface.h>
#include <fastrtps/utils/IPLocator.h>

#include "gs/core/log.hpp"
#include "gs_ros2/bulk_pace.hpp"
#include "gs_ros2/reader_promises.hpp"
#include "gs_ros2/rtps_check.hpp"

namespace gs_ros2 {
namespace {

namespace fastdds = eprosima::fastdds::rtps;
namespace rtps = eprosima::fastrtps::rtps;
using rtps::IPLocator;
using rtps::Locator_t;

gs::Bytes asBytes(const rtps::octet* bytes, uint32_t size) {
  return {reinterpret_cast<const std::byte*>(bytes), size};
}

Ipv4 addressOf(const Locator_t& locator) {
  const unsigned char* bytes = IPLocator::getIPv4(locator);
  return {bytes[0], bytes[1], bytes[2], bytes[3]};
}

class GuardedUdpTransport final : public fastdds::ChainingTransport {
 public:
  explicit GuardedUdpTransport(const GuardedUdp& descriptor)
      : ChainingTransport(descriptor),
        descriptor_(descriptor),
        allowed_(descriptor.settings.named_hosts) {}

  fastdds::TransportDescriptorInterface* get_configuration() override { return &descriptor_; }

  void select_locators(rtps::LocatorSelector& selector) const override {
    auto& entries = selector.transport_starts();
    for (size_t i = 0; i < entries.size(); ++i) {
      rtps::LocatorSelectorEntry& entry = *entries[i];
      if (!entry.transport_should_process) continue;
      const bool has_unicast = std::any_of(entry.unicast.begin(), entry.unicast.end(),
                                           [this](auto& each) { return IsLocatorSupported(each); });
      if (has_unicast ? choose(selector, entry.unicast, entry.state.unicast)
                      : choose(selector, entry.multicast, entry.state.multicast))
        selector.select(i);
    }
  }

  // The library calls this and send() under one lock.
  bool OpenOutputChannel(fastdds::SendResourceList& senders, const Locator_t& locator) override {
    const size_t before = senders.size();
    if (!ChainingTransport::OpenOutputChannel(senders, locator)) return false;
    open_.insert(locator);
    // The first sender is that of the loopback interface; each of the others is the way of
    // multicast out of one more interface.
    const size_t kept = before == 0 ? 1 : before;
    if (descriptor_.settings.is_this_host_only && senders.size() > kept) senders.resize(kept);
    return true;
  }

  bool send(rtps::SenderResource* sender, const rtps::octet* bytes, uint32_t size,
            rtps::LocatorsIterator* begin, rtps::LocatorsIterator* end,
            const std::chrono::steady_clock::time_point& timeout) override {
    targets_.clear();
    for (rtps::LocatorsIterator& each = *begin; each != *end; ++each)
      if (mayTalkTo(*each)) targets_.push_back(*each);
    for (const Locator_t& target : targets_)
      if (!open_.contains(target)) openLate(target);
    fastdds::Locators first(targets_.begin()), last(targets_.end());
    const gs::Bytes message = descriptor_.watch->sending(asBytes(bytes, size), copy_);
    return sender->send(reinterpret_cast<const rtps::octet*>(message.data()), size, &first, &last,
                        timeout);
  }

  void receive(fastdds::TransportReceiverInterface* next, const rtps::octet* bytes, uint32_t size,
               const Locator_t& local, const Locator_t& remote) override {
    ++descriptor_.counts->received;
    if (descriptor_.settings.is_this_host_only && !allowed_.contains(addressOf(remote))) {
      ++descriptor_.counts->foreign;
      return;
    }
    const gs::Bytes sound = soundRtps(asBytes(bytes, size));
    if (sound.empty() || !promises_.areKept(sound)) {
      ++descriptor_.counts->damaged;
      return;
    }
    descriptor_.watch->received(sound);
    // On this thread nobody else would catch it.
    try {
      next->OnDataReceived(bytes, static_cast<uint32_t>(sound.size()), local, remote);
    } catch (const std::exception& failure) {
      gs::logger("ros2").warn(std::string("a datagram could not be taken in: ") + failure.what());
      ++descriptor_.counts->damaged;
    }
  }

 private:
  // All addresses of one list that nobody has chosen yet.
  template <typename Locators, typename Chosen>
  bool choose(const rtps::LocatorSelector& selector, const Locators& locators,
              Chosen& chosen) const {
    bool has_any = false;
    for (size_t j = 0; j < locators.size(); ++j) {
      if (!IsLocatorSupported(locators[j]) || selector.is_selected(locators[j])) continue;
      chosen.push_back(j);
      has_any = true;
    }
    return has_any;
  }

  bool mayTalkTo(const Locator_t& target) {
    if (!IsLocatorSupported(target)) return false;
    return !descriptor_.settings.is_this_host_only || IPLocator::isMulticast(target) ||
           allowed_.contains(addressOf(target));
  }

  // The sockets are there already; what is missing is that the library knows of the address.
  void openLate(const Locator_t& target) {
    fastdds::SendResourceList unused;
    low_level_transport_->OpenOutputChannel(unused, target);
    open_.insert(target);
  }

  GuardedUdp descriptor_;
  AllowedHosts allowed_;
  ReaderPromises promises_;
  std::set<Locator_t> open_;  // like the next two, used under the library's lock only
  fastdds::LocatorList targets_;
  std::vector<std::byte> copy_;
};

}  // namespace

GuardedUdp::GuardedUdp(const std::shared_ptr<fastdds::UDPv4TransportDescriptor>& udp,
                       TransportSettings chosen, std::shared_ptr<DatagramCounts> datagrams,
                       std::shared_ptr<WireWatch> watching)
    : ChainingTransportDescriptor(udp),
      settings(std::move(chosen)),
      counts(std::move(datagrams)),
      watch(std::move(watching)) {}

fastdds::TransportInterface* GuardedUdp::create_transport() const {
  return new GuardedUdpTransport(*this);
}

uint32_t GuardedUdp::max_message_size() const { return kBulkDatagramBytes; }

}  // namespace gs_ros2
