// SPDX-License-Identifier: Apache-2.0
#include "gs/train/trainer_state.hpp"

#include <cmath>
#include <cstring>

#include "gs/core/error.hpp"

namespace gs {
namespace {

constexpr std::string_view kMagic = "gs-trainer-state-2";

// The same list of fields writes and reads: see transfer().
class Writer {
 public:
  std::string bytes{kMagic};
  template <typename T>
  void number(T& value) {
    bytes.append(reinterpret_cast<const char*>(&value), sizeof(value));
  }
  template <typename Vector>
  void array(Vector& values) {
    uint64_t size = values.size();
    number(size);
    bytes.append(reinterpret_cast<const char*>(values.data()), values.size() * sizeof(values[0]));
  }
};

class Reader {
 public:
  explicit Reader(std::string_view bytes) : rest_(bytes) {
    if (!rest_.starts_with(kMagic)) fail();
    rest_.remove_prefix(kMagic.size());
  }
  template <typename T>
  void number(T& value) {
    take(&value, sizeof(value));
  }
  // Arrays are made in their size before: a damaged file cannot ask for memory.
  template <typename Vector>
  void array(Vector& values) {
    uint64_t size = 0;
    number(size);
    if (size != values.size()) fail();
    take(values.data(), values.size() * sizeof(values[0]));
  }
  bool isAtEnd() const { return rest_.empty(); }
  [[noreturn]] static void fail() {
    throw Error({.code = ErrorCode::TrainingFailed,
                 .component = "gs_trainer",
                 .message = "the checkpoint does not belong to this drive, or is damaged",
                 .suggestion = "Remove 03_gs_training/checkpoints and train from the start."});
  }

 private:
  void take(void* to, size_t size) {
    if (rest_.size() < size) fail();
    if (size == 0) return;  // an empty vector has no address
    std::memcpy(to, rest_.data(), size);
    rest_.remove_prefix(size);
  }
  std::string_view rest_;
};

void transfer(TrainerState& state, auto& stream) {
  stream.number(state.iteration);
  for (auto& values : state.splats.mean) stream.array(values);
  for (auto& values : state.splats.variance) stream.array(values);
  stream.array(state.splats.sh_mean);
  stream.array(state.splats.sh_variance);
  stream.array(state.splats.views);
  stream.array(state.splats.error);
  stream.array(state.splats.gradient);
  stream.array(state.sky.texels());
  stream.array(state.sky.knowledge());
  stream.array(state.exposures);
  stream.array(state.poses);
  for (ResidualMap& map : state.residuals) {
    stream.number(map.columns);
    stream.number(map.rows);
    stream.number(map.visits);
    if (map.columns < 0 || map.rows < 0 || map.columns > 10000 || map.rows > 10000) Reader::fail();
    map.error.resize(static_cast<size_t>(map.columns) * map.rows);
    stream.array(map.error);
  }
  stream.number(state.mean_loss);
  stream.number(state.mean_squared);
  stream.number(state.best_psnr_db);
  stream.number(state.evaluations_without_gain);
}

// Splats whose arrays are in the order of the cloud, with memory for all that Adam remembers.
TrainedSplats inOrderOf(const GaussianCloud& cloud) {
  TrainedSplats splats;
  const size_t padded = (cloud.size() + kClusterSize - 1) / kClusterSize * kClusterSize;
  splats.scene.sh_degree = cloud.sh_degree;
  splats.scene.count = cloud.size();
  for (auto& values : splats.mean) values.resize(padded);
  for (auto& values : splats.variance) values.resize(padded);
  splats.sh_mean.resize(padded * splats.scene.coefficients() * 3);
  splats.sh_variance.resize(splats.sh_mean.size());
  splats.views.resize(padded);
  splats.error.resize(padded);
  splats.gradient.resize(padded);
  return splats;
}

}  // namespace

template <size_t N>
void AdjustedNumbers<N>::step(const std::array<double, N>& gradient, double rate) {
  ++steps;
  const double bias1 = 1 - std::pow(0.9, steps), bias2 = 1 - std::pow(0.999, steps);
  for (size_t i = 0; i < N; ++i) {
    const double g = std::isfinite(gradient[i]) ? gradient[i] : 0;
    mean[i] = static_cast<float>(0.9 * mean[i] + 0.1 * g);
    variance[i] = static_cast<float>(0.999 * variance[i] + 0.001 * g * g);
    value[i] -=
        static_cast<float>(rate * (mean[i] / bias1) / (std::sqrt(variance[i] / bias2) + 1e-15));
  }
}
template struct AdjustedNumbers<3>;
template struct AdjustedNumbers<6>;

TrainerState stateFrom(const GaussianCloud& initial, size_t images, int sky_height) {
  TrainerState state;
  state.sky = SkyModel(sky_height);
  state.splats = trainedFrom(initial);
  state.exposures.resize(images);
  state.poses.resize(images);
  state.residuals.resize(images);
  return state;
}

TrainingCheckpoint checkpointOf(TrainerState& state) {
  Writer writer;
  transfer(state, writer);
  return {state.iteration, cloudOf(state.splats), state.sky.image(), std::move(writer.bytes)};
}

TrainerState stateFrom(const TrainingCheckpoint& checkpoint, size_t images, int sky_height) {
  TrainerState state;
  state.sky = SkyModel(sky_height);
  state.splats = inOrderOf(checkpoint.cloud);
  state.exposures.resize(images);
  state.poses.resize(images);
  state.residuals.resize(images);
  Reader reader(checkpoint.state);
  transfer(state, reader);
  if (!reader.isAtEnd()) Reader::fail();
  std::vector<uint32_t> same(checkpoint.cloud.size());
  for (size_t i = 0; i < same.size(); ++i) same[i] = static_cast<uint32_t>(i);
  const TrainedSplats remembered = std::move(state.splats);
  state.splats = continuedFrom(remembered, checkpoint.cloud, same);
  state.sky.publish();
  return state;
}

}  // namespace gs
