// SPDX-License-Identifier: Apache-2.0
#include "gs/formats/mcap_merge.hpp"

#include <algorithm>
#include <deque>
#include <memory>
#include <queue>

#include "gs/core/parallel.hpp"

namespace gs {
namespace {

constexpr uint64_t kAheadBytes = uint64_t{64} << 20;

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

  bool isBelow(uint64_t bytes) const {
    return block->length <= bytes && block->unpacked_length <= bytes - block->length;
  }
};

// The bytes of a block and where its wanted messages are, by time.
struct LoadedBlock {
  std::unique_ptr<McapBlockMemory> memory;
  Bytes records;
  std::vector<Entry> entries;
  std::string problem;

  uint64_t bytes() const {
    return memory ? memory->capacity() + entries.capacity() * sizeof(Entry) : 0;
  }
};

// A block whose time has come. Without its bytes (dropped for lack of room) it only knows where it
// is.
struct OpenBlock {
  WantedBlock wanted{};
  LoadedBlock loaded;
  size_t next = 0;
  int64_t next_time = 0;
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
        open(next_block++);
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

  void open(size_t position) {
    uint32_t slot = 0;
    if (free_slots_.empty()) {
      slot = static_cast<uint32_t>(open_.size());
      open_.emplace_back();
    } else {
      slot = free_slots_.back();
      free_slots_.pop_back();
    }
    if (ahead_.empty()) loadAhead(position);
    open_[slot].wanted = blocks_[position];
    open_[slot].next = 0;
    open_[slot].loaded = std::move(ahead_.front());
    ahead_.pop_front();
    tellProblem(open_[slot]);
    advance(slot);
  }

  void emit(const HeapKey& key) {
    OpenBlock& block = open_[key.slot];
    if (!block.loaded.memory) reload(block);
    const LoadedBlock& loaded = block.loaded;
    if (block.next < loaded.entries.size()) {  // always, unless the file changed under our hands
      ByteCursor cursor(loaded.records.subspan(loaded.entries[block.next].offset));
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
    if (block.next < block.loaded.entries.size()) {
      block.next_time = block.loaded.entries[block.next].time;
      heap_.push({block.next_time, block.wanted.ordinal, slot});
      return;
    }
    held_ -= block.loaded.bytes();
    if (block.loaded.memory && block.loaded.memory->capacity() <= kAheadBytes) {
      held_ += block.loaded.memory->capacity();
      spare_.push_back(std::move(block.loaded.memory));
    }
    block.loaded = {};
    free_slots_.push_back(slot);
  }

  // The block at `position` and, as long as they are small, one more for each other thread: the
  // time goes into decompressing.
  void loadAhead(size_t position) {
    uint64_t bytes = 0;
    size_t count = 0;
    const auto threads = static_cast<size_t>(std::max(threadCount(), 1));
    while (count < threads && position + count < blocks_.size()) {
      const WantedBlock& next = blocks_[position + count];
      if (count > 0 && !next.isBelow(std::min(kAheadBytes, budget_ / 4) - bytes)) break;
      bytes += next.block->length + next.block->unpacked_length;
      ++count;
      if (bytes > std::min(kAheadBytes, budget_ / 4)) break;
    }
    makeRoom(bytes);
    ahead_.resize(count);
    for (LoadedBlock& loaded : ahead_) loaded.memory = takeMemory();
    parallelFor(count, 1, [&](size_t begin, size_t end) {
      for (size_t i = begin; i < end; ++i) load(blocks_[position + i], ahead_[i]);
    });
    for (const LoadedBlock& loaded : ahead_) held_ += loaded.bytes();
  }

  void reload(OpenBlock& block) {
    makeRoom(block.wanted.block->length + block.wanted.block->unpacked_length);
    block.loaded.memory = takeMemory();
    load(block.wanted, block.loaded);
    held_ += block.loaded.bytes();
    tellProblem(block);
  }

  void tellProblem(const OpenBlock& block) const {
    if (block.loaded.problem.empty()) return;
    const McapBlock& where = *block.wanted.block;
    inputs_[block.wanted.input].problem(where.offset, where.length, block.loaded.problem);
  }

  // Touches nothing but `loaded`: runs in many threads.
  void load(const WantedBlock& wanted, LoadedBlock& loaded) const {
    loaded.entries.clear();
    loaded.problem =
        loadMcapBlock(*inputs_[wanted.input].source, *wanted.block, *loaded.memory, loaded.records);
    if (loaded.problem.empty()) findEntries(wanted, loaded);
  }

  void findEntries(const WantedBlock& wanted, LoadedBlock& loaded) const {
    const McapBlock& where = *wanted.block;
    ByteCursor cursor(loaded.records);
    while (cursor.left() > 0) {
      const size_t offset = loaded.records.size() - cursor.left();
      const auto record = takeMcapRecord(cursor);
      if (!record) {
        loaded.problem = "chunk: a record in it passes its end";
        break;
      }
      if (!record->is(McapOpcode::Message)) continue;
      const auto message = parseMcapMessage(record->body);
      if (!message || inputs_[wanted.input].index->channels.count(message->channel_id) == 0) {
        loaded.problem = "chunk: a message in it is damaged or of an unknown channel";
        continue;
      }
      const int64_t time = message->log_time.ns;
      if (time < where.start_ns || time > where.end_ns)
        loaded.problem = "chunk: a message in it is outside the chunk's range of time";
      if (!isWanted(wanted.input, message->channel_id) || time < start_ || time > end_) continue;
      loaded.entries.push_back({time, static_cast<uint32_t>(offset)});
    }
    if (!std::is_sorted(loaded.entries.begin(), loaded.entries.end()))
      std::sort(loaded.entries.begin(), loaded.entries.end());
  }

  std::unique_ptr<McapBlockMemory> takeMemory() {
    if (spare_.empty()) return std::make_unique<McapBlockMemory>();
    auto memory = std::move(spare_.back());
    spare_.pop_back();
    held_ -= memory->capacity();
    return memory;
  }

  // Claims of size are no reason to drop more than is there: `wanted` is bounded by the budget.
  void makeRoom(uint64_t wanted) {
    wanted = std::min(wanted, budget_ / 2);
    while (held_ + wanted > budget_ && spare_.size() > static_cast<size_t>(threadCount())) {
      held_ -= spare_.back()->capacity();
      spare_.pop_back();
    }
    while (held_ + wanted > budget_) {
      OpenBlock* last = nullptr;
      for (OpenBlock& block : open_)
        if (block.loaded.memory && block.next < block.loaded.entries.size() &&
            (last == nullptr || block.next_time > last->next_time))
          last = &block;
      if (last == nullptr) return;
      held_ -= last->loaded.bytes();
      last->loaded = {};
    }
  }

  const std::vector<McapMergeInput>& inputs_;
  const int64_t start_, end_;
  const uint64_t budget_;
  const std::function<void(size_t, const McapMessage&)>& visit_;
  std::vector<WantedBlock> blocks_;  // by start time
  std::deque<LoadedBlock> ahead_;    // loaded, not yet open: the next of blocks_
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
