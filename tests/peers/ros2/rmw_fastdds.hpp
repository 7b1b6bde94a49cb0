// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <cstring>
#include <functional>
#include <memory>
#include <mutex>
#include <string>

#include <fastdds/dds/domain/qos/DomainParticipantQos.hpp>
#include <fastdds/dds/publisher/qos/DataWriterQos.hpp>
#include <fastdds/dds/subscriber/DataReader.hpp>
#include <fastdds/dds/subscriber/DataReaderListener.hpp>
#include <fastdds/dds/subscriber/SampleInfo.hpp>
#include <fastdds/dds/subscriber/qos/DataReaderQos.hpp>
#include <fastdds/dds/topic/TopicDataType.hpp>
#include <fastdds/rtps/transport/UDPv4TransportDescriptor.h>

#include "peers/ros2/rmw_peer.hpp"

// How rmw_fastrtps sets up Fast DDS. For rmw_peer.cpp only.
namespace peers {

namespace fast = eprosima::fastdds::dds;
namespace rtps = eprosima::fastrtps::rtps;
using Text = std::string;  // the bytes of one message

// Any message: its type support is whoever handed the bytes over.
struct AnyType : fast::TopicDataType {
  explicit AnyType(const std::string& name) {
    setName(name.c_str());
    m_typeSize = 512;
    auto_fill_type_object(false);
    auto_fill_type_information(false);
  }
  bool serialize(void* data, rtps::SerializedPayload_t* out) override {
    const Text& text = *static_cast<Text*>(data);
    out->length = static_cast<uint32_t>(text.copy(reinterpret_cast<char*>(out->data), text.size()));
    return true;
  }
  bool deserialize(rtps::SerializedPayload_t* in, void* data) override {
    *static_cast<Text*>(data) = Text(reinterpret_cast<const char*>(in->data), in->length);
    return true;
  }
  std::function<uint32_t()> getSerializedSizeProvider(void* data) override {
    return [data] { return static_cast<uint32_t>(static_cast<Text*>(data)->size()); };
  }
  void* createData() override { return new Text; }
  void deleteData(void* data) override { delete static_cast<Text*>(data); }
  bool getKey(void*, rtps::InstanceHandle_t*, bool) override { return false; }
};

inline Gid toGid(const rtps::GUID_t& guid) {
  Gid gid;
  std::memcpy(gid.data(), guid.guidPrefix.value, 12);
  std::memcpy(gid.data() + 12, guid.entityId.value, 4);
  return gid;
}

inline Gid participantOf(Gid gid) {
  constexpr uint8_t kEntity[] = {0, 0, 1, 0xc1};
  std::copy(std::begin(kEntity), std::end(kEntity), gid.begin() + 12);
  return gid;
}

// Section by section what rmw_fastrtps sets, and nothing else.
template <typename Qos>
Qos endpointQos(const RmwTopic& topic, const Dialect& dialect, bool keep_all = false) {
  Qos qos;
  qos.reliability().kind =
      topic.qos.is_reliable ? fast::RELIABLE_RELIABILITY_QOS : fast::BEST_EFFORT_RELIABILITY_QOS;
  qos.durability().kind =
      topic.qos.is_latched ? fast::TRANSIENT_LOCAL_DURABILITY_QOS : fast::VOLATILE_DURABILITY_QOS;
  qos.history().kind = keep_all ? fast::KEEP_ALL_HISTORY_QOS : fast::KEEP_LAST_HISTORY_QOS;
  qos.history().depth = topic.qos.depth;
  qos.endpoint().history_memory_policy = rtps::PREALLOCATED_WITH_REALLOC_MEMORY_MODE;
  qos.data_sharing().off();
  if (dialect.has_type_hashes && !topic.type_hash.empty()) {
    const std::string text = "typehash=" + topic.type_hash + ";";
    qos.user_data().setValue({text.begin(), text.end()});
  }
  return qos;
}

inline fast::DomainParticipantQos participantQos() {
  fast::DomainParticipantQos qos;
  qos.name("/");
  const std::string enclave("enclave=/;\0", 11);
  qos.user_data().setValue({enclave.begin(), enclave.end()});
  // No shared memory: this version's would not fit the one that stands for Humble or Jazzy.
  auto udp = std::make_shared<eprosima::fastdds::rtps::UDPv4TransportDescriptor>();
  udp->interfaceWhiteList.emplace_back("127.0.0.1");
  qos.transport().use_builtin_transports = false;
  qos.transport().user_transports.push_back(udp);
  auto& builtin = qos.wire_protocol().builtin;
  builtin.readerHistoryMemoryPolicy = rtps::PREALLOCATED_WITH_REALLOC_MEMORY_MODE;
  builtin.writerHistoryMemoryPolicy = rtps::PREALLOCATED_WITH_REALLOC_MEMORY_MODE;
  return qos;
}

using Take = std::function<void(const Text&, const fast::SampleInfo&)>;

class ReaderListener : public fast::DataReaderListener {
 public:
  explicit ReaderListener(Take take) : take_(std::move(take)) {}
  void on_data_available(fast::DataReader* reader) override {
    const std::lock_guard lock(mutex_);
    fast::SampleInfo info;
    while (reader->take_next_sample(&text_, &info) == ReturnCode_t::RETCODE_OK)
      if (info.valid_data) take_(text_, info);
  }

 private:
  std::mutex mutex_;
  Text text_;
  Take take_;
};

}  // namespace peers
