// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <cstring>

#include <fastdds/dds/publisher/qos/DataWriterQos.hpp>
#include <fastdds/dds/subscriber/qos/DataReaderQos.hpp>

#include "gs/core/error.hpp"
#include "gs/core/log.hpp"
#include "gs_ros2/wire_fastdds.hpp"

namespace gs_ros2 {
namespace {

// How many messages of one writer may wait for the sending thread.
constexpr size_t kPromptBound = 100;

gs::Error endpointError(const EndpointSpec& spec, const char* what) {
  return gs::Error(
      {.code = gs::ErrorCode::ConfigInvalid,
       .component = "ros2",
       .message = std::string("cannot create the ") + what + " of topic '" + spec.topic + "'",
       .details = {{"topic", spec.topic}, {"type", spec.type}},
       .suggestion = "Check that no other endpoint of this program uses the topic "
                     "with another type, for instance after a remap."});
}

eprosima::fastrtps::Duration_t seconds(double value) {
  return eprosima::fastrtps::Duration_t(static_cast<long double>(value));
}

// Said once per endpoint: the user sees silence otherwise.
void warnOfMismatch(const std::string& topic, const char* who) {
  gs::logger("ros2").warn("a " + std::string(who) + " of '" + topic +
                          "' asks for another quality of service and is not connected; "
                          "`ros2 topic info -v` shows both sides");
}

bool isReader(const Guid& guid) { return (guid.bytes[15] & 0x04) != 0; }

SampleId toSampleId(const rtps::SampleIdentity& id) {
  return {toGuid(id.writer_guid()), static_cast<int64_t>(id.sequence_number().to64long())};
}

std::vector<uint8_t> userData(const EndpointSpec& spec) {
  const std::string text =
      spec.user_data + (spec.type_hash.empty() ? "" : "typehash=" + spec.type_hash + ";");
  return {text.begin(), text.end()};
}

// The policies that readers and writers share.
template <typename FastQos>
void setCommon(FastQos& qos, const EndpointSpec& spec, bool keep_all) {
  qos.reliability().kind =
      spec.qos.is_reliable ? fast::RELIABLE_RELIABILITY_QOS : fast::BEST_EFFORT_RELIABILITY_QOS;
  // Always said: the library's default for writers is transient local, that of ROS is volatile.
  qos.durability().kind =
      spec.qos.is_latched ? fast::TRANSIENT_LOCAL_DURABILITY_QOS : fast::VOLATILE_DURABILITY_QOS;
  qos.history().kind = keep_all ? fast::KEEP_ALL_HISTORY_QOS : fast::KEEP_LAST_HISTORY_QOS;
  qos.history().depth = spec.qos.depth;
  qos.resource_limits().max_samples = std::max(5000, spec.qos.depth);
  qos.resource_limits().max_instances = 1;
  qos.resource_limits().max_samples_per_instance = qos.resource_limits().max_samples;
  qos.resource_limits().allocated_samples = 1;
  qos.endpoint().history_memory_policy = rtps::PREALLOCATED_WITH_REALLOC_MEMORY_MODE;
  qos.data_sharing().off();
  qos.user_data().setValue(userData(spec));
}

class FastWriter final : public Writer, fast::DataWriterListener {
 public:
  FastWriter(Participant::Impl& owner, const EndpointSpec& spec)
      : owner_(owner), lane_(spec.qos.is_bulk ? owner.bulk : owner.prompt), spec_(spec) {
    // Of latched messages only the last ones matter, and best-effort readers never answer.
    if (spec.qos.is_reliable && !spec.qos.is_latched)
      ledger_ = std::make_shared<LossLedger>(spec.qos.depth);
    fast::DataWriterQos qos;
    setCommon(qos, spec, false);
    if (spec.qos.lifespan.ns > 0) qos.lifespan().duration = seconds(toSeconds(spec.qos.lifespan));
    // A reader learns of a lost message from the next heartbeat; three seconds, the default, is
    // longer than a short history lasts.
    qos.reliable_writer_qos().times.heartbeatPeriod = seconds(spec.qos.is_bulk ? 0.02 : 0.1);
    qos.reliable_writer_qos().times.nackResponseDelay = seconds(0.001);
    if (spec.qos.is_bulk) {
      qos.publish_mode().kind = fast::ASYNCHRONOUS_PUBLISH_MODE;
      qos.publish_mode().flow_controller_name = kBulkFlow;
    } else {
      qos.publish_mode().kind = fast::SYNCHRONOUS_PUBLISH_MODE;
    }
    fast::Topic* topic = owner.topicFor(spec);
    if (topic) writer_ = owner.publisher->create_datawriter(topic, qos, this);
    if (!writer_) throw endpointError(spec, "writer");
    guid_ = toGuid(writer_->guid());
    if (ledger_) owner_.watch->add(guid_, ledger_);
  }

  ~FastWriter() override {
    lane_.forget(this);
    owner_.watch->remove(guid_);
    writer_->set_listener(nullptr);
    owner_.publisher->delete_datawriter(writer_);
  }

  void publish(Encode encode) override { send(std::move(encode), std::nullopt); }
  void reply(Encode encode, const SampleId& request) override { send(std::move(encode), request); }

  std::optional<SampleId> writeNow(gs::Bytes bytes, const Guid& related) override {
    const std::vector<std::byte> copy(bytes.begin(), bytes.end());
    rtps::WriteParams params;
    params.related_sample_identity().writer_guid(toFast(related));
    if (!write(copy, params)) return std::nullopt;
    return toSampleId(params.sample_identity());
  }

  Guid guid() const override { return guid_; }

  int readerCount() const override { return reader_count_; }
  uint64_t matchCount() const override { return match_count_; }

  bool reaches(const Guid& client) const override {
    const std::lock_guard lock(mutex_);
    if (isReader(client)) return readers_.contains(client);
    return std::any_of(readers_.begin(), readers_.end(),
                       [&](const Guid& reader) { return reader.samePrefix(client); });
  }

  void onMatch(std::function<void()> callback) override {
    const std::lock_guard lock(mutex_);
    match_callback_ = std::move(callback);
  }

  uint64_t lostCount() const override { return dropped_ + (ledger_ ? ledger_->lostCount() : 0); }

 private:
  void send(Encode encode, std::optional<SampleId> request) {
    const size_t bound = spec_.qos.is_bulk ? static_cast<size_t>(spec_.qos.depth)
                                           : std::max<size_t>(kPromptBound, spec_.qos.depth);
    const bool all_kept = lane_.post(this, bound, [this, encode = std::move(encode), request] {
      encode(buffer_);
      rtps::WriteParams params;
      if (request) {
        params.related_sample_identity().writer_guid(toFast(request->guid));
        params.related_sample_identity().sequence_number() =
            rtps::SequenceNumber_t(static_cast<int32_t>(request->sequence >> 32),
                                   static_cast<uint32_t>(request->sequence));
      }
      if (!write(buffer_, params)) countDropped();
    });
    if (!all_kept) countDropped();
  }

  void countDropped() {
    if (reader_count_ > 0) ++dropped_;
  }

  bool write(const std::vector<std::byte>& bytes, rtps::WriteParams& params) {
    if (ledger_) ledger_->beforeWrite();
    const bool is_written = writer_->write(const_cast<std::vector<std::byte>*>(&bytes), params);
    if (ledger_ && is_written) ledger_->afterWrite(toSampleId(params.sample_identity()).sequence);
    else if (ledger_) ledger_->writeFailed();
    return is_written;
  }

  void on_publication_matched(fast::DataWriter*,
                              const fast::PublicationMatchedStatus& info) override {
    const Guid reader = toGuid(rtps::iHandle2GUID(info.last_subscription_handle));
    if (ledger_ && info.current_count_change <= 0) ledger_->removeReader(reader);
    else if (ledger_) ledger_->addReader(reader, std::chrono::steady_clock::now());
    std::function<void()> callback;
    {
      const std::lock_guard lock(mutex_);
      if (info.current_count_change > 0) readers_.insert(reader);
      else readers_.erase(reader);
      reader_count_ = static_cast<int>(readers_.size());
      match_count_ = static_cast<uint64_t>(info.total_count);
      callback = match_callback_;
    }
    if (callback) callback();
  }

  void on_offered_incompatible_qos(fast::DataWriter*,
                                   const fast::OfferedIncompatibleQosStatus&) override {
    if (!has_warned_.exchange(true)) warnOfMismatch(spec_.topic, "reader");
  }

  Participant::Impl& owner_;
  SendLane& lane_;
  EndpointSpec spec_;
  fast::DataWriter* writer_ = nullptr;
  Guid guid_;
  mutable std::mutex mutex_;
  std::set<Guid> readers_;
  std::function<void()> match_callback_;
  std::atomic<int> reader_count_ = 0;
  std::atomic<uint64_t> match_count_ = 0;
  std::shared_ptr<LossLedger> ledger_;
  std::atomic<uint64_t> dropped_ = 0;  // before they were sent
  std::atomic<bool> has_warned_ = false;
  std::vector<std::byte> buffer_;  // used on the lane only
};

class FastReader final : public Reader, fast::DataReaderListener {
 public:
  FastReader(Participant::Impl& owner, const EndpointSpec& spec,
             std::function<void(const Arrival&)> receive, bool keep_all)
      : owner_(owner), topic_(spec.topic), receive_(std::move(receive)) {
    fast::DataReaderQos qos;
    setCommon(qos, spec, keep_all);
    fast::Topic* topic = owner.topicFor(spec);
    if (topic) reader_ = owner.subscriber->create_datareader(topic, qos, this);
    if (!reader_) throw endpointError(spec, "reader");
    guid_ = toGuid(reader_->guid());
  }

  ~FastReader() override {
    reader_->set_listener(nullptr);
    owner_.subscriber->delete_datareader(reader_);
  }

  Guid guid() const override { return guid_; }
  int writerCount() const override { return writer_count_; }
  uint64_t matchCount() const override { return match_count_; }

  void onMatch(std::function<void()> callback) override {
    const std::lock_guard lock(match_mutex_);
    match_callback_ = std::move(callback);
  }

 private:
  void on_data_available(fast::DataReader* reader) override {
    const std::lock_guard lock(mutex_);
    fast::SampleInfo info;
    while (reader->take_next_sample(&buffer_, &info) == ReturnCode_t::RETCODE_OK) {
      if (!info.valid_data) continue;
      receive_({.bytes = buffer_,
                .id = toSampleId(info.sample_identity),
                .related = toSampleId(info.related_sample_identity)});
    }
  }

  void on_subscription_matched(fast::DataReader*,
                               const fast::SubscriptionMatchedStatus& info) override {
    writer_count_ = info.current_count;
    match_count_ = static_cast<uint64_t>(info.total_count);
    const std::lock_guard lock(match_mutex_);
    if (match_callback_) match_callback_();
  }

  void on_requested_incompatible_qos(fast::DataReader*,
                                     const fast::RequestedIncompatibleQosStatus&) override {
    if (!has_warned_.exchange(true)) warnOfMismatch(topic_, "writer");
  }

  Participant::Impl& owner_;
  std::string topic_;
  std::function<void(const Arrival&)> receive_;
  fast::DataReader* reader_ = nullptr;
  Guid guid_;
  std::mutex mutex_;
  std::vector<std::byte> buffer_;
  std::atomic<int> writer_count_ = 0;
  std::atomic<uint64_t> match_count_ = 0;
  std::mutex match_mutex_;
  std::function<void()> match_callback_;
  std::atomic<bool> has_warned_ = false;
};

}  // namespace

Guid toGuid(const rtps::GUID_t& guid) {
  Guid result;
  std::copy_n(guid.guidPrefix.value, 12, result.bytes.begin());
  std::copy_n(guid.entityId.value, 4, result.bytes.begin() + 12);
  return result;
}

rtps::GUID_t toFast(const Guid& guid) {
  rtps::GUID_t result;
  std::copy_n(guid.bytes.begin(), 12, result.guidPrefix.value);
  std::copy_n(guid.bytes.begin() + 12, 4, result.entityId.value);
  return result;
}

RawType::RawType(const std::string& name) {
  setName(name.c_str());
  m_typeSize = 1024;  // where the memory of a sample begins; it grows with the message
  m_isGetKeyDefined = false;
  auto_fill_type_object(false);
  auto_fill_type_information(false);
}

bool RawType::serialize(void* data, rtps::SerializedPayload_t* payload) {
  const auto& bytes = *static_cast<const std::vector<std::byte>*>(data);
  if (bytes.size() > payload->max_size) return false;
  payload->encapsulation = CDR_LE;
  payload->length = static_cast<uint32_t>(bytes.size());
  if (bytes.size() > 0) std::memcpy(payload->data, bytes.data(), bytes.size());
  return true;
}

bool RawType::deserialize(rtps::SerializedPayload_t* payload, void* data) {
  const auto* bytes = reinterpret_cast<const std::byte*>(payload->data);
  static_cast<std::vector<std::byte>*>(data)->assign(bytes, bytes + payload->length);
  return true;
}

std::function<uint32_t()> RawType::getSerializedSizeProvider(void* data) {
  const auto size = static_cast<uint32_t>(static_cast<const std::vector<std::byte>*>(data)->size());
  return [size] { return size; };
}

void* RawType::createData() { return new std::vector<std::byte>(); }
void RawType::deleteData(void* data) { delete static_cast<std::vector<std::byte>*>(data); }

std::unique_ptr<Writer> createFastWriter(Participant::Impl& owner, const EndpointSpec& spec) {
  return std::make_unique<FastWriter>(owner, spec);
}

std::unique_ptr<Reader> createFastReader(Participant::Impl& owner, const EndpointSpec& spec,
                                         std::function<void(const Arrival&)> receive,
                                         bool keep_all) {
  return std::make_unique<FastReader>(owner, spec, std::move(receive), keep_all);
}

}  // namespace gs_ros2
