// SPDX-License-Identifier: Apache-2.0
#include "gs_builder/training_checkpoint.hpp"

#include <algorithm>
#include <charconv>

#include "gs/bundle/gaussian_ply.hpp"
#include "gs/core/error.hpp"
#include "gs/core/file.hpp"
#include "gs/formats/png.hpp"

namespace gs_builder {
namespace fs = std::filesystem;
namespace {

constexpr const char* kSplats = "background.splat.ply";
constexpr const char* kSky = "sky.png";
constexpr const char* kState = "state.bin";
constexpr std::string_view kPrefix = "iteration_";
constexpr uint64_t kMaxState = uint64_t{64} << 30;

}  // namespace

fs::path checkpointFolder(const fs::path& checkpoints, int iteration) {
  return checkpoints / (std::string(kPrefix) + std::to_string(iteration));
}

void writeCheckpoint(const fs::path& checkpoints, const gs::TrainingCheckpoint& checkpoint,
                     bool keeps_sky) {
  gs::createDirectories(checkpoints);
  gs::StagedDirectory staged(checkpointFolder(checkpoints, checkpoint.iteration));
  gs::writeGaussianPly(staged.path() / kSplats, checkpoint.cloud);
  if (keeps_sky && !checkpoint.sky.pixels.empty())
    gs::writeFileAtomically(staged.path() / kSky, gs::encodePng(checkpoint.sky));
  if (!checkpoint.state.empty()) gs::writeFileAtomically(staged.path() / kState, checkpoint.state);
  staged.commit();
  if (checkpoint.state.empty()) return;
  std::error_code ignored;
  for (const int iteration : listCheckpoints(checkpoints))
    if (iteration != checkpoint.iteration)
      fs::remove(checkpointFolder(checkpoints, iteration) / kState, ignored);
}

std::vector<int> listCheckpoints(const fs::path& checkpoints) {
  std::vector<int> iterations;
  std::error_code why;
  for (fs::directory_iterator entry(checkpoints, why), end; !why && entry != end;
       entry.increment(why)) {
    const std::string name = entry->path().filename().string();
    if (!name.starts_with(kPrefix)) continue;
    int iteration = 0;
    const char* const last = name.data() + name.size();
    const auto parsed = std::from_chars(name.data() + kPrefix.size(), last, iteration);
    std::error_code ignored;
    if (parsed.ec == std::errc() && parsed.ptr == last &&
        fs::is_regular_file(entry->path() / kSplats, ignored))
      iterations.push_back(iteration);
  }
  std::sort(iterations.begin(), iterations.end());
  return iterations;
}

gs::TrainingCheckpoint readCheckpoint(const fs::path& checkpoints, int iteration) {
  const fs::path folder = checkpointFolder(checkpoints, iteration);
  std::error_code ignored;
  if (!fs::is_regular_file(folder / kSplats, ignored))
    throw gs::Error({.code = gs::ErrorCode::CheckpointNotFound,
                     .component = "gs_exporter",
                     .message = "there is no checkpoint '" + folder.string() + "'",
                     .details = {{"folder", folder.string()}},
                     .suggestion = "Run gs_training again."});
  gs::TrainingCheckpoint checkpoint{.iteration = iteration};
  checkpoint.cloud = gs::readGaussianPly(*gs::openFile(folder / kSplats));
  if (fs::is_regular_file(folder / kSky, ignored))
    checkpoint.sky = gs::decodePng(gs::asBytes(gs::readTextFile(folder / kSky, uint64_t{1} << 28)),
                                   (folder / kSky).string());
  return checkpoint;
}

std::optional<gs::TrainingCheckpoint> findResumable(const fs::path& checkpoints) {
  const std::vector<int> iterations = listCheckpoints(checkpoints);
  std::error_code ignored;
  for (auto iteration = iterations.rbegin(); iteration != iterations.rend(); ++iteration) {
    const fs::path state = checkpointFolder(checkpoints, *iteration) / kState;
    if (!fs::is_regular_file(state, ignored)) continue;
    gs::TrainingCheckpoint checkpoint = readCheckpoint(checkpoints, *iteration);
    checkpoint.state = gs::readTextFile(state, kMaxState);
    return checkpoint;
  }
  return std::nullopt;
}

}  // namespace gs_builder
