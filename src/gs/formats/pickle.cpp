// SPDX-License-Identifier: Apache-2.0
#include "gs/formats/pickle.hpp"

#include <charconv>
#include <unordered_map>

#include <fmt/format.h>

#include "gs/core/error.hpp"

namespace gs {
namespace {

using Kind = PickleValue::Kind;

// The stack machine of Python's pickletools, without the power to import anything.
class Unpickler {
 public:
  Unpickler(Bytes bytes, const std::string& name)
      : cursor_(bytes), size_(bytes.size()), name_(name) {}

  Pickle run() {
    while (step()) {
    }
    pickle_.root = pop();
    return std::move(pickle_);
  }

 private:
  [[noreturn]] void fail(const std::string& why) const {
    throw Error({.code = ErrorCode::InputInvalid,
                 .component = "pickle",
                 .message = fmt::format("'{}': {} at byte {}", name_, why, size_ - cursor_.left()),
                 .details = {{"file", name_}},
                 .suggestion = "Check that the file was written completely, by torch.save."});
  }

  template <typename T>
  T take() {
    const auto value = cursor_.take<T>();
    if (!value) fail("it ends too early");
    return *value;
  }
  std::string takeText(uint64_t size) {
    if (size > cursor_.left()) fail("it ends too early");
    return std::string(asText(*cursor_.take(static_cast<size_t>(size))));
  }
  std::string takeLine() {
    std::string line;
    for (char c = take<char>(); c != '\n'; c = take<char>()) line.push_back(c);
    return line;
  }

  PickleValue* make(PickleValue value) {
    // A checkpoint has thousands; a byte of a hostile file must not become a hundred of memory.
    constexpr size_t kMaxValues = 2'000'000;
    if (pickle_.values.size() >= kMaxValues) fail("it holds too many values");
    pickle_.values.push_back(std::move(value));
    return &pickle_.values.back();
  }
  void push(PickleValue value) { stack_.push_back(make(std::move(value))); }
  PickleValue* pop() {
    if (stack_.empty() || stack_.back()->kind == Kind::Mark) fail("its stack is empty");
    PickleValue* value = stack_.back();
    stack_.pop_back();
    return value;
  }
  PickleValue* top() {
    if (stack_.empty() || stack_.back()->kind == Kind::Mark) fail("its stack is empty");
    return stack_.back();
  }
  std::vector<PickleValue*> popToMark() {
    size_t at = stack_.size();
    while (at > 0 && stack_[at - 1]->kind != Kind::Mark) --at;
    if (at == 0) fail("its stack has no mark");
    std::vector<PickleValue*> items(stack_.begin() + static_cast<std::ptrdiff_t>(at), stack_.end());
    stack_.resize(at - 1);
    return items;
  }

  void pushTuple(const std::vector<PickleValue*>& items) {
    push({.kind = Kind::Tuple, .items = {items.begin(), items.end()}});
  }
  void pushTuple(size_t count) {
    std::vector<PickleValue*> items(count);
    for (size_t i = count; i-- > 0;) items[i] = pop();
    pushTuple(items);
  }
  void pushInt(int64_t value) { push({.kind = Kind::Int, .integer = value}); }
  void pushText(std::string text) { push({.kind = Kind::Text, .text = std::move(text)}); }

  void setItems(const std::vector<PickleValue*>& items) {
    PickleValue* target = top();
    if (target->kind != Kind::Dict && target->kind != Kind::Object) fail("items of no dict");
    if (items.size() % 2 != 0) fail("a key without a value");
    for (size_t i = 0; i < items.size(); i += 2) target->pairs.emplace_back(items[i], items[i + 1]);
  }
  void appendItems(const std::vector<PickleValue*>& items) {
    PickleValue* target = top();
    if (target->kind != Kind::List && target->kind != Kind::Object) fail("items of no list");
    target->items.insert(target->items.end(), items.begin(), items.end());
  }

  // What Python would call. Only an OrderedDict is known here: a dict.
  void reduce() {
    PickleValue* arguments = pop();
    PickleValue* callable = pop();
    if (callable->kind == Kind::Global && callable->text == "collections OrderedDict")
      push({.kind = Kind::Dict});
    else push({.kind = Kind::Object, .items = {callable, arguments}});
  }

  void longInt(uint64_t size) {
    const std::string bytes = takeText(size);
    if (bytes.size() > 8) {  // nothing here counts that far; keep that it was a number
      push({.kind = Kind::Float, .real = 1e300});
      return;
    }
    uint64_t value = 0;
    for (size_t i = 0; i < bytes.size(); ++i)
      value |= static_cast<uint64_t>(static_cast<uint8_t>(bytes[i])) << (8 * i);
    if (!bytes.empty() && bytes.size() < 8 && (bytes.back() & 0x80) != 0)
      value |= ~uint64_t{0} << (8 * bytes.size());
    pushInt(static_cast<int64_t>(value));
  }

  uint64_t takeKey() {
    const std::string line = takeLine();
    uint64_t key = 0;
    const auto end = std::from_chars(line.data(), line.data() + line.size(), key);
    if (end.ec != std::errc() || end.ptr != line.data() + line.size()) fail("not a number");
    return key;
  }

  void textInt() {  // protocol 0: "I42\n", "I01\n" is True, "L42L\n"
    std::string line = takeLine();
    if (!line.empty() && line.back() == 'L') line.pop_back();
    if (line == "00" || line == "01")
      return push({.kind = Kind::Bool, .integer = line == "01" ? 1 : 0});
    int64_t value = 0;
    const auto end = std::from_chars(line.data(), line.data() + line.size(), value);
    if (end.ec != std::errc() || end.ptr != line.data() + line.size()) fail("not a number");
    pushInt(value);
  }

  void remember(uint64_t key) { memo_[key] = top(); }
  void recall(uint64_t key) {
    const auto found = memo_.find(key);
    if (found == memo_.end()) fail("a reference to nothing");
    stack_.push_back(found->second);
  }

  // One opcode; false after STOP.
  bool step() {
    const auto opcode = take<uint8_t>();
    switch (opcode) {
      case '.': return false;
      case 0x80: take<uint8_t>(); break;   // PROTO
      case 0x95: take<uint64_t>(); break;  // FRAME
      case '(': push({.kind = Kind::Mark}); break;
      case '0':  // POP; of a mark, too
        if (stack_.empty()) fail("its stack is empty");
        stack_.pop_back();
        break;
      case '1': popToMark(); break;
      case '2': stack_.push_back(top()); break;
      case 'N': push({.kind = Kind::None}); break;
      case 0x88: push({.kind = Kind::Bool, .integer = 1}); break;
      case 0x89: push({.kind = Kind::Bool}); break;
      case 'I':
      case 'L': textInt(); break;
      case 'J': pushInt(take<int32_t>()); break;
      case 'K': pushInt(take<uint8_t>()); break;
      case 'M': pushInt(take<uint16_t>()); break;
      case 0x8a: longInt(take<uint8_t>()); break;
      case 0x8b: longInt(take<uint32_t>()); break;
      case 'G': {  // big endian
        uint64_t bits = take<uint64_t>();
        bits = __builtin_bswap64(bits);
        push({.kind = Kind::Float, .real = std::bit_cast<double>(bits)});
        break;
      }
      case 'X': pushText(takeText(take<uint32_t>())); break;
      case 0x8c: pushText(takeText(take<uint8_t>())); break;
      case 0x8d: pushText(takeText(take<uint64_t>())); break;
      case 'T':
      case 'B': pushText(takeText(take<uint32_t>())); break;
      case 'U':
      case 'C': pushText(takeText(take<uint8_t>())); break;
      case 0x8e: pushText(takeText(take<uint64_t>())); break;
      case 'V': pushText(takeLine()); break;
      case ')': push({.kind = Kind::Tuple}); break;
      case 't': pushTuple(popToMark()); break;
      case 0x85: pushTuple(1); break;
      case 0x86: pushTuple(2); break;
      case 0x87: pushTuple(3); break;
      case ']':
      case 0x8f: push({.kind = Kind::List}); break;  // 0x8f: an empty set
      case 'l': {
        const auto items = popToMark();
        push({.kind = Kind::List, .items = {items.begin(), items.end()}});
        break;
      }
      case 'a': {
        PickleValue* item = pop();
        appendItems({item});
        break;
      }
      case 'e':
      case 0x90: appendItems(popToMark()); break;
      case '}': push({.kind = Kind::Dict}); break;
      case 'd': {
        const auto items = popToMark();
        push({.kind = Kind::Dict});
        setItems(items);
        break;
      }
      case 's': {
        PickleValue* value = pop();
        PickleValue* key = pop();
        setItems({key, value});
        break;
      }
      case 'u': setItems(popToMark()); break;
      case 'c': {
        const std::string module = takeLine();
        push({.kind = Kind::Global, .text = module + " " + takeLine()});
        break;
      }
      case 0x93: {
        PickleValue* name = pop();
        PickleValue* module = pop();
        push({.kind = Kind::Global, .text = module->text + " " + name->text});
        break;
      }
      case 'R':
      case 0x81: reduce(); break;
      case 0x92: pop(), reduce(); break;  // NEWOBJ_EX: keywords are of no use here
      case 'b': pop(), top(); break;      // BUILD: attributes of an object, of no use here
      case 'Q': push({.kind = Kind::Persistent, .items = {pop()}}); break;
      case 'p': remember(takeKey()); break;
      case 'g': recall(takeKey()); break;
      case 'q': remember(take<uint8_t>()); break;
      case 'r': remember(take<uint32_t>()); break;
      case 0x94: remember(memo_.size()); break;
      case 'h': recall(take<uint8_t>()); break;
      case 'j': recall(take<uint32_t>()); break;
      default: fail(fmt::format("opcode 0x{:02x} is not read", opcode));
    }
    return true;
  }

  ByteCursor cursor_;
  size_t size_;
  const std::string& name_;
  Pickle pickle_;
  std::vector<PickleValue*> stack_;
  std::unordered_map<uint64_t, PickleValue*> memo_;
};

}  // namespace

const PickleValue* PickleValue::find(std::string_view key) const {
  // Later ones win, as in Python.
  for (auto pair = pairs.rbegin(); pair != pairs.rend(); ++pair)
    if (pair->first->kind == Kind::Text && pair->first->text == key) return pair->second;
  return nullptr;
}

Pickle parsePickle(Bytes bytes, const std::string& name) { return Unpickler(bytes, name).run(); }

}  // namespace gs
