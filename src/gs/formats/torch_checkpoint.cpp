// SPDX-License-Identifier: Apache-2.0
#include "gs/formats/torch_checkpoint.hpp"

#include <array>
#include <cmath>

#include <fmt/format.h>

#include "gs/core/error.hpp"

namespace gs {
namespace {

using Kind = PickleValue::Kind;

constexpr uint64_t kMaxPickle = uint64_t{64} << 20;
constexpr uint64_t kMaxStorage = uint64_t{8} << 30;
constexpr uint64_t kMaxElements = uint64_t{1} << 30;

[[noreturn]] void fail(const std::string& name, const std::string& why) {
  throw Error({.code = ErrorCode::InputInvalid,
               .component = "torch_checkpoint",
               .message = "'" + name + "': " + why,
               .details = {{"file", name}},
               .suggestion = "Save it again with torch.save of PyTorch 1.6 or later."});
}

float fromHalf(uint16_t bits) {
  const int exponent = bits >> 10 & 31, mantissa = bits & 1023;
  const float sign = (bits & 0x8000) != 0 ? -1.0f : 1.0f;
  if (exponent == 31) return mantissa == 0 ? sign * INFINITY : NAN;
  if (exponent == 0) return sign * std::ldexp(static_cast<float>(mantissa), -24);
  return sign * std::ldexp(static_cast<float>(1024 + mantissa), exponent - 25);
}

struct ElementType {
  const char* storage;  // class of torch that names it
  size_t size;
  float (*read)(const std::byte* bytes);
};

template <typename T>
float readAs(const std::byte* bytes) {
  T value;
  std::memcpy(&value, bytes, sizeof value);
  return static_cast<float>(value);
}

const std::array<ElementType, 9> kTypes = {{
    {"torch FloatStorage", 4, readAs<float>},
    {"torch DoubleStorage", 8, readAs<double>},
    {"torch HalfStorage", 2,
     [](const std::byte* bytes) {
       uint16_t bits;
       std::memcpy(&bits, bytes, sizeof bits);
       return fromHalf(bits);
     }},
    {"torch BFloat16Storage", 2,
     [](const std::byte* bytes) {
       uint16_t bits;
       std::memcpy(&bits, bytes, sizeof bits);
       return std::bit_cast<float>(static_cast<uint32_t>(bits) << 16);
     }},
    {"torch LongStorage", 8, readAs<int64_t>},
    {"torch IntStorage", 4, readAs<int32_t>},
    {"torch ShortStorage", 2, readAs<int16_t>},
    {"torch ByteStorage", 1, readAs<uint8_t>},
    {"torch BoolStorage", 1, readAs<uint8_t>},
}};

std::vector<uint64_t> sizesOf(const PickleValue& value, const std::string& name) {
  std::vector<uint64_t> sizes;
  if (value.kind != Kind::Tuple || value.items.size() > 16) fail(name, "a tensor without a shape");
  for (const PickleValue* item : value.items) {
    if (item->kind != Kind::Int || item->integer < 0) fail(name, "a tensor without a shape");
    sizes.push_back(static_cast<uint64_t>(item->integer));
  }
  return sizes;
}

// The tensor inside a parameter, or the tensor itself.
const PickleValue* unwrap(const PickleValue* value) {
  for (int depth = 0; depth < 4; ++depth) {
    if (value->kind != Kind::Object || value->items.size() < 2 ||
        value->items[0]->kind != Kind::Global || value->items[1]->kind != Kind::Tuple)
      return nullptr;
    const std::string& callable = value->items[0]->text;
    if (callable == "torch._utils _rebuild_tensor_v2" || callable == "torch._utils _rebuild_tensor")
      return value->items[1];
    if (callable != "torch._utils _rebuild_parameter" || value->items[1]->items.empty())
      return nullptr;
    value = value->items[1]->items[0];
  }
  return nullptr;
}

}  // namespace

TorchCheckpoint::TorchCheckpoint(std::unique_ptr<ByteSource> source)
    : source_(std::move(source)), zip_(*source_) {
  constexpr std::string_view kPickle = "data.pkl";
  const ZipEntry* pickle = nullptr;
  for (const ZipEntry& entry : zip_.entries())
    if (entry.name.ends_with(kPickle) &&
        (entry.name.size() == kPickle.size() || entry.name.ends_with("/data.pkl")))
      pickle = &entry;
  if (pickle == nullptr) fail(source_->name(), "a ZIP without data.pkl: not made by torch.save");
  folder_ = pickle->name.substr(0, pickle->name.size() - kPickle.size());
  if (const ZipEntry* order = zip_.find(folder_ + "byteorder"))
    if (zip_.read(*order, 64) != "little") fail(source_->name(), "its numbers are big endian");
  const std::string bytes = zip_.read(*pickle, kMaxPickle);
  pickle_ = parsePickle(asBytes(bytes), source_->name() + ":" + pickle->name);
}

const PickleValue* TorchCheckpoint::find(const Path& path) const {
  const PickleValue* value = pickle_.root;
  for (const std::string_view key : path) {
    value = value->find(key);
    if (value == nullptr) return nullptr;
  }
  return value;
}

std::vector<std::string> TorchCheckpoint::keysAt(const Path& path) const {
  std::vector<std::string> keys;
  if (const PickleValue* value = find(path))
    for (const auto& [key, item] : value->pairs)
      if (key->kind == Kind::Text) keys.push_back(key->text);
  return keys;
}

std::optional<double> TorchCheckpoint::findNumber(const Path& path) const {
  const PickleValue* value = find(path);
  if (value == nullptr) return std::nullopt;
  if (value->kind == Kind::Int) return static_cast<double>(value->integer);
  if (value->kind == Kind::Float) return value->real;
  return std::nullopt;
}

std::optional<TorchTensor> TorchCheckpoint::findTensor(const Path& path) const {
  const PickleValue* found = find(path);
  if (found == nullptr) return std::nullopt;
  std::string name = source_->name() + ":";
  for (const std::string_view key : path) name += fmt::format("/{}", key);
  const PickleValue* parts = unwrap(found);  // storage, offset, sizes, strides, ...
  if (parts == nullptr || parts->items.size() < 4 || parts->items[0]->kind != Kind::Persistent ||
      parts->items[1]->kind != Kind::Int || parts->items[1]->integer < 0)
    fail(name, "is not a tensor");
  // ('storage', class, key, device, number of elements)
  const PickleValue& id = *parts->items[0]->items[0];
  if (id.kind != Kind::Tuple || id.items.size() < 5 || id.items[1]->kind != Kind::Global ||
      id.items[2]->kind != Kind::Text)
    fail(name, "has no storage");
  const ElementType* type = nullptr;
  for (const ElementType& known : kTypes)
    if (id.items[1]->text == known.storage) type = &known;
  if (type == nullptr) fail(name, "holds numbers of a kind that is not read: " + id.items[1]->text);

  TorchTensor tensor{.shape = sizesOf(*parts->items[2], name)};
  const std::vector<uint64_t> strides = sizesOf(*parts->items[3], name);
  if (strides.size() != tensor.shape.size()) fail(name, "has as many strides as it has not sizes");
  uint64_t count = 1, last = static_cast<uint64_t>(parts->items[1]->integer);
  for (size_t i = 0; i < tensor.shape.size(); ++i) {
    const uint64_t size = tensor.shape[i];
    if (size != 0 && count > kMaxElements / size) fail(name, "is too large");
    count *= size;
    if (size > 1 && strides[i] > kMaxStorage / (size - 1)) fail(name, "is too large");
    if (size > 1) last += strides[i] * (size - 1);
  }
  const ZipEntry* storage = zip_.find(folder_ + "data/" + id.items[2]->text);
  if (storage == nullptr) fail(name, "its storage is not in the file");
  if (count == 0) return tensor;
  if (last >= storage->size / type->size) fail(name, "reaches beyond its storage");
  if (count > storage->size / type->size) fail(name, "has more elements than its storage");
  const std::string bytes = zip_.read(*storage, kMaxStorage);

  tensor.values.resize(count);
  std::vector<uint64_t> index(tensor.shape.size(), 0);
  uint64_t at = static_cast<uint64_t>(parts->items[1]->integer);
  for (uint64_t i = 0; i < count; ++i) {
    tensor.values[i] = type->read(asBytes(bytes).data() + at * type->size);
    for (size_t axis = index.size(); axis-- > 0;) {  // like an odometer
      at += strides[axis];
      if (++index[axis] < tensor.shape[axis]) break;
      at -= strides[axis] * tensor.shape[axis];
      index[axis] = 0;
    }
  }
  return tensor;
}

}  // namespace gs
