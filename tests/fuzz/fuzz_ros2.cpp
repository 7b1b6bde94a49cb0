// SPDX-License-Identifier: Apache-2.0
// What peers and people hand to the ROS 2 side: graph messages, parameter files, arguments.
#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "gs/core/error.hpp"
#include "gs_ros2/graph.hpp"
#include "gs_ros2/ros_args.hpp"

namespace {

void parseArguments(const std::string& text) {
  std::vector<std::string> words(1);
  for (const char c : text) {
    if (c == '\n') words.emplace_back();
    else words.back() += c;
  }
  // Files are for the other branch; a path from outside must not be opened here.
  for (std::string& word : words)
    if (word == "--params-file") word = "-r";
  const auto args = gs_ros2::parseRosArgs(gs_ros2::splitRosArgs(words).ros);
  const gs_ros2::NodeName node = gs_ros2::resolveNodeName({"/ns", "node"}, args.remaps);
  gs_ros2::overridesFor(args, node);
  gs_ros2::resolveName("topic", node, args.remaps);
}

}  // namespace

// The first byte chooses what the rest is.
extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  if (size == 0) return 0;
  const std::string text(reinterpret_cast<const char*>(data + 1), size - 1);
  try {
    if (data[0] == 'g') {
      gs_ros2::Guid writer;
      if (size > 17) std::copy_n(data + 5, 12, writer.bytes.begin());
      gs_ros2::parseGraph(gs::asBytes(text), writer);
    } else if (data[0] == 'p') {
      for (const auto& entry : gs_ros2::parseParameterFile(text, "input"))
        gs_ros2::concernsNode(entry.node, {"/a/b", "c"});
    } else {
      parseArguments(text);
    }
  } catch (const gs::Error&) {  // refused, which is an answer
  }
  return 0;
}
