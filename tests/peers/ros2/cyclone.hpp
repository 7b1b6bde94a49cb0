// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdlib>
#include <functional>
#include <stdexcept>
#include <string>

#include <dds/dds.h>

#include "peers/ros2/dialect.hpp"
#include "ros_types.h"

// A thin C++ skin over Cyclone DDS, as much as the tests need.
namespace peers {

inline dds_entity_t checked(dds_entity_t entity, const std::string& what) {
  if (entity < 0) throw std::runtime_error(what + ": " + dds_strretcode(-entity));
  return entity;
}

class CycloneParticipant {
 public:
  explicit CycloneParticipant(uint32_t domain) {
    // Loopback with multicast, which Cyclone leaves off there unless told; or what the test wants.
    setenv("CYCLONEDDS_URI",
           "<CycloneDDS><Domain><General><Interfaces><NetworkInterface address=\"127.0.0.1\" "
           "multicast=\"true\"/></Interfaces></General><Internal><SocketReceiveBufferSize "
           "min=\"default\"/></Internal></Domain></CycloneDDS>",
           0);
    entity_ = checked(dds_create_participant(domain, nullptr, nullptr), "participant");
  }
  ~CycloneParticipant() { dds_delete(entity_); }
  CycloneParticipant(const CycloneParticipant&) = delete;
  CycloneParticipant& operator=(const CycloneParticipant&) = delete;
  dds_entity_t entity() const { return entity_; }

 private:
  dds_entity_t entity_;
};

inline dds_qos_t* makeQos(const PeerQos& wanted) {
  dds_qos_t* qos = dds_create_qos();
  dds_qset_reliability(qos,
                       wanted.is_reliable ? DDS_RELIABILITY_RELIABLE : DDS_RELIABILITY_BEST_EFFORT,
                       DDS_SECS(1));
  dds_qset_durability(qos,
                      wanted.is_latched ? DDS_DURABILITY_TRANSIENT_LOCAL : DDS_DURABILITY_VOLATILE);
  dds_qset_history(qos, DDS_HISTORY_KEEP_LAST, wanted.depth);
  return qos;
}

template <typename T>
class CycloneReader {
 public:
  CycloneReader(const CycloneParticipant& participant, const dds_topic_descriptor_t& type,
                const std::string& topic, const PeerQos& wanted,
                const std::string& user_data = {}) {
    const dds_entity_t handle = checked(
        dds_create_topic(participant.entity(), &type, topic.c_str(), nullptr, nullptr), topic);
    dds_qos_t* qos = makeQos(wanted);
    dds_qset_userdata(qos, user_data.data(), user_data.size());
    entity_ = checked(dds_create_reader(participant.entity(), handle, qos, nullptr), topic);
    dds_delete_qos(qos);
  }
  CycloneReader(const CycloneReader&) = delete;
  ~CycloneReader() { dds_delete(entity_); }

  bool isMatched() const {
    dds_subscription_matched_status_t status;
    return dds_get_subscription_matched_status(entity_, &status) == 0 && status.current_count > 0;
  }

  // Hands over what has come. False when nothing had.
  bool takeAll(const std::function<void(const T&)>& use) {
    bool has_any = false;
    for (;;) {
      void* samples[1] = {nullptr};
      dds_sample_info_t info;
      const dds_return_t count = dds_take(entity_, samples, &info, 1, 1);
      if (count <= 0) return has_any;
      if (info.valid_data) {
        use(*static_cast<const T*>(samples[0]));
        has_any = true;
      }
      dds_return_loan(entity_, samples, count);
    }
  }

 private:
  dds_entity_t entity_;
};

template <typename T>
class CycloneWriter {
 public:
  CycloneWriter(const CycloneParticipant& participant, const dds_topic_descriptor_t& type,
                const std::string& topic, const PeerQos& wanted) {
    const dds_entity_t handle = checked(
        dds_create_topic(participant.entity(), &type, topic.c_str(), nullptr, nullptr), topic);
    dds_qos_t* qos = makeQos(wanted);
    entity_ = checked(dds_create_writer(participant.entity(), handle, qos, nullptr), topic);
    dds_delete_qos(qos);
  }
  CycloneWriter(const CycloneWriter&) = delete;
  ~CycloneWriter() { dds_delete(entity_); }

  bool isMatched() const {
    dds_publication_matched_status_t status;
    return dds_get_publication_matched_status(entity_, &status) == 0 && status.current_count > 0;
  }
  void write(const T& message) { dds_write(entity_, &message); }

 private:
  dds_entity_t entity_;
};

}  // namespace peers
