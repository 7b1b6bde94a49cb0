// SPDX-License-Identifier: Apache-2.0
#include "gs/formats/torch_checkpoint.hpp"

#include <gmock/gmock.h>

#include "gs/core/error.hpp"
#include "gs/formats/testing/torch_zip.hpp"

namespace gs {
namespace {

using ::testing::ElementsAre;
using testing::pickledInt;
using testing::TorchZip;

TorchCheckpoint open(const std::string& bytes) {
  return TorchCheckpoint(openMemory(asBytes(bytes), "test.pth"));
}

template <typename Action>
std::string messageOf(const Action& action) {
  try {
    action();
  } catch (const Error& error) {
    EXPECT_EQ(error.report().code, ErrorCode::InputInvalid);
    return error.report().message;
  }
  return "";
}

// {'models': OrderedDict(Background: OrderedDict(_means: Parameter)), 'step': 300}
std::string smallFile(bool is_deflated) {
  TorchZip zip;
  const std::string means = zip.tensor({1, 2, 3, 4, 5, 6}, {2, 3});
  const std::string background = TorchZip::dict({{"_means", means}}, true);
  const std::string models = TorchZip::dict({{"Background", background}});
  return zip.file(TorchZip::dict({{"models", models}, {"step", pickledInt(300)}}), is_deflated);
}

TEST(TorchCheckpoint, FindsTensorsAndNumbersByTheirKeys) {
  for (const bool is_deflated : {false, true}) {
    const std::string bytes = smallFile(is_deflated);
    const TorchCheckpoint checkpoint = open(bytes);
    const auto means = checkpoint.findTensor({"models", "Background", "_means"});
    ASSERT_TRUE(means);
    EXPECT_THAT(means->shape, ElementsAre(2, 3));
    EXPECT_THAT(means->values, ElementsAre(1, 2, 3, 4, 5, 6));
    EXPECT_EQ(checkpoint.findNumber({"step"}), 300);
    EXPECT_THAT(checkpoint.keysAt({"models", "Background"}), ElementsAre("_means"));
    EXPECT_FALSE(checkpoint.findTensor({"models", "Sky"}));
  }
}

TEST(TorchCheckpoint, HonoursStridesOffsetsAndHalfNumbers) {
  TorchZip zip;
  std::string halves;  // 0.5, 1, 2, -2 and the smallest one
  for (const int bits : {0x3800, 0x3c00, 0x4000, 0xc000, 0x0001})
    appendBytes(halves, static_cast<uint16_t>(bits));
  const std::string half = zip.strided(halves, "HalfStorage", 5, {{2, 2}, {1, 2}, 1});
  const std::string bytes = zip.file(TorchZip::dict({{"half", half}}));
  const auto tensor = open(bytes).findTensor({"half"});
  ASSERT_TRUE(tensor);
  EXPECT_THAT(tensor->values, ElementsAre(1, -2, 2, 5.9604644775390625e-8f));
}

TEST(TorchCheckpoint, RefusesWhatReachesBeyondTheFile) {
  const auto problemWith = [](const TorchZip::Strided& layout) {
    TorchZip zip;
    const std::string tensor = zip.strided(std::string(16, 'x'), "FloatStorage", 4, layout);
    const std::string bytes = zip.file(TorchZip::dict({{"t", tensor}}));
    return messageOf([&] { open(bytes).findTensor({"t"}); });
  };
  EXPECT_THAT(problemWith({{5}, {1}, 0}), ::testing::HasSubstr("beyond its storage"));
  EXPECT_THAT(problemWith({{2}, {1}, 3}), ::testing::HasSubstr("beyond its storage"));
  EXPECT_THAT(problemWith({{1000000}, {0}, 0}), ::testing::HasSubstr("more elements"));
  EXPECT_THAT(problemWith({{2000000000, 2000000000}, {1, 1}, 0}),
              ::testing::HasSubstr("too large"));
  EXPECT_THAT(problemWith({{2}, {1, 1}, 0}), ::testing::HasSubstr("strides"));
}

TEST(TorchCheckpoint, ADamagedFileIsAnErrorWhereverItIsDamaged) {
  const std::string bytes = smallFile(false);
  EXPECT_THAT(messageOf([&] { open("PK"); }), ::testing::HasSubstr("not a ZIP file"));
  for (size_t length = 0; length < bytes.size(); length += 7)
    EXPECT_NE(messageOf([&] { open(bytes.substr(0, length)); }), "") << length;
  std::string flipped = bytes;
  const size_t at = flipped.find("_means");
  flipped[at] = 'X';
  EXPECT_THAT(messageOf([&] { open(flipped); }), ::testing::HasSubstr("checksum"));
}

TEST(TorchCheckpoint, CallsNothingThatAPickleNames) {
  TorchZip zip;
  const std::string system = "cos\nsystem\n(" + testing::pickledText("exit") + "tR";
  const std::string hostile = zip.file(TorchZip::dict({{"evil", system}}));
  EXPECT_THAT(messageOf([&] { open(hostile).findTensor({"evil"}); }),
              ::testing::HasSubstr("is not a tensor"));
}

}  // namespace
}  // namespace gs
