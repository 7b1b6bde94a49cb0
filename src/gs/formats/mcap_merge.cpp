// SPDX-License-Identifier: Apache-2.0
#include "gs/formats/mcap_merge.hpp"

#include <algorithm>
#include <memory>
#include <queue>

namespace gs {
namespace {

// A message of a loaded block: its record begins at `offset` of the block's bytes.
struct Entry {
  int64_t time;
  uint32_t offset;
  auto operator<=>(const Entry&) const = default;
};

struct WantedBlock {
  const McapBlock* block;
  uint32_t input;
  uint32_t ordinal;  // in order of files and offsets: breaks ties of time
};

// A block whose time has come. Without its bytes it only knows where it is.
struct OpenBlock {
  WantedBlock wanted{};
  std::unique_ptr<McapBlockMemory> memory;  // null: dropped for lack of room
  Bytes records;
  std::vector<Entry> entries;
  size_t next = 0;
  int64_t next_time = 0;

  uint64_t bytes() const {
    return memory ? memory->capacity() + entries.capacity() * sizeof(Entry) : 0;
  }
};

struct HeapKey {
  int64_t time;
  uint32_t ordinal;
  uint32_t slot;
  auto operator<=>(const HeapKey&) const = default;
};

class Merge {
 public:
  Merge(const std::vector<McapMergeInput>& inputs, Stamp start, Stamp end, uint64_t budget,
        const std::function<void(size_t, const McapMessage&)>& visit)
      : inputs_(inputs), start_(start.ns), end_(end.ns), budget_(budget), visit_(visit) {}

  void run() {
    collectBlocks();
    size_t next_block = 0;
    while (true) {
      while (next_block < blocks_.size() &&
             (heap_.empty() || blocks_[next_block].block->start_ns <= heap_.top().time))
        open(blocks_[next_block++]);
      if (heap_.empty()) {
        if (next_block == blocks_.size()) return;
        continue;  // the block had nothing for us
      }
      const HeapKey key = heap_.top();
      heap_.pop();
      emit(key);
    }
  }

 private:
  void collectBlocks() {
    uint32_t ordinal = 0;
    for (uint32_t i = 0; i < inputs_.size(); ++i) {
      for (const McapBlock& block : inputs_[i].index->blocks)
        if (isWanted(i, block)) blocks_.push_back({&block, i, ordinal++});
    }
    std::sort(blocks_.begin(), blocks_.end(), [](const WantedBlock& a, const WantedBlock& b) {
      return std::pair(a.block->start_ns, a.ordinal) < std::pair(b.block->start_ns, b.ordinal);
    });
  }

  bool isWanted(uint32_t input, const McapBlock& block) const {
    if (block.end_ns < start_ || block.start_ns > end_) return false;
    if (!block.knows_channels) return true;
    const auto channels = inputs_[input].index->channelsOf(block);
    return std::any_of(channels.begin(), channels.end(),
                       [&](uint16_t id) { return isWanted(input, id); });
  }
  bool isWanted(uint32_t input, uint16_t channel) const {
    const auto& wanted = inputs_[input].is_wanted;
    return channel < wanted.size() && wanted[channel];
  }

  void open(const WantedBlock& wanted) {
    uint32_t slot = 0;
    if (free_slots_.empty()) {
      slot = static_cast<uint32_t>(open_.size());
      open_.emplace_back();
    } else {
      slot = free_slots_.back();
      free_slots_.pop_back();
    }
    OpenBlock& block = open_[slot];
    block.wanted = wanted;
    block.next = 0;
    load(block);
    advance(slot);
  }

  void emit(const HeapKey& key) {
    OpenBlock& block = open_[key.slot];
    if (!block.memory) load(block);
    if (block.next < block.entries.size()) {  // always, unless the file changed under our hands
      ByteCursor cursor(block.records.subspan(block.entries[block.next].offset));
      const auto record = takeMcapRecord(cursor);
      const auto message = record ? parseMcapMessage(record->body) : std::nullopt;
      if (message) visit_(block.wanted.input, *message);
    }
    ++block.next;
    advance(key.slot);
  }

  // Puts the block's next message into the heap, or gives the block back.
  void advance(uint32_t slot) {
    OpenBlock& block = open_[slot];
    if (block.next < block.entries.size()) {
      block.next_time = block.entries[block.next].time;
      heap_.push({block.next_time, block.wanted.ordinal, slot});
      return;
    }
    held_ -= block.bytes();
    if (block.memory) {
      held_ += block.memory->capacity();
      spare_.push_back(std::move(block.memory));
    }
    block.entries = {};
    free_slots_.push_back(slot);
  }

  void load(OpenBlock& block) {
    makeRoom(block.wanted.block->length);
    block.memory = takeMemory();
    block.entries.clear();
    const McapMergeInput& input = inputs_[block.wanted.input];
    const McapBlock& where = *block.wanted.block;
    const std::string problem = loadMcapBlock(*input.source, where, *block.memory, block.records);
    if (problem.empty()) findEntries(block);
    else input.problem(where.offset, where.length, problem);
    held_ += block.bytes();
  }

  void findEntries(OpenBlock& block) {
    const uint32_t input = block.wanted.input;
    const McapBlock& where = *block.wanted.block;
    std::string problem;
    ByteCursor cursor(block.records);
    while (cursor.left() > 0) {
      const size_t offset = block.records.size() - cursor.left();
      const auto record = takeMcapRecord(cursor);
      if (!record) {
        problem = "chunk: a record in it passes its end";
        break;
      }
      if (!record->is(McapOpcode::Message)) continue;
      const auto message = parseMcapMessage(record->body);
      if (!message || inputs_[input].index->channels.count(message->channel_id) == 0) {
        problem = "chunk: a message in it is damaged or of an unknown channel";
        continue;
      }
      const int64_t time = message->log_time.ns;
      if (time < where.start_ns || time > where.end_ns)
        problem = "chunk: a message in it is outside the chunk's range of time";
      if (!isWanted(input, message->channel_id) || time < start_ || time > end_) continue;
      block.entries.push_back({time, static_cast<uint32_t>(offset)});
    }
    if (!std::is_sorted(block.entries.begin(), block.entries.end()))
      std::sort(block.entries.begin(), block.entries.end());
    if (!problem.empty()) inputs_[input].problem(where.offset, where.length, problem);
  }

  std::unique_ptr<McapBlockMemory> takeMemory() {
    if (spare_.empty()) return std::make_unique<McapBlockMemory>();
    auto memory = std::move(spare_.back());
    spare_.pop_back();
    held_ -= memory->capacity();
    return memory;
  }

  void makeRoom(uint64_t wanted) {
    while (held_ + wanted > budget_ && spare_.size() > 1) {
      held_ -= spare_.back()->capacity();
      spare_.pop_back();
    }
    while (held_ + wanted > budget_) {
      OpenBlock* last = nullptr;
      for (OpenBlock& block : open_)
        if (block.memory && block.next < block.entries.size() &&
            (last == nullptr || block.next_time > last->next_time))
          last = &block;
      if (last == nullptr) return;
      held_ -= last->bytes();
      last->memory.reset();
      last->entries = {};
    }
  }

  const std::vector<McapMergeInput>& inputs_;
  const int64_t start_, end_;
  const uint64_t budget_;
  const std::function<void(size_t, const McapMessage&)>& visit_;
  std::vector<WantedBlock> blocks_;  // by start time
  std::vector<OpenBlock> open_;
  std::vector<uint32_t> free_slots_;
  std::vector<std::unique_ptr<McapBlockMemory>> spare_;
  std::priority_queue<HeapKey, std::vector<HeapKey>, std::greater<>> heap_;
  uint64_t held_ = 0;
};

}  // namespace

void mergeMcapMessages(const std::vector<McapMergeInput>& inputs, Stamp start, Stamp end,
                       uint64_t budget_bytes,
                       const std::function<void(size_t, const McapMessage&)>& visit) {
  Merge(inputs, start, end, budget_bytes, visit).run();
}

}  // namespace gs
