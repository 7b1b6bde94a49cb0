// SPDX-License-Identifier: Apache-2.0
#include "gs_sim/imu_sensor.hpp"

#include <cmath>
#include <optional>
#include <utility>

#include "gs/core/rng.hpp"
#include "gs/msgs/sensor_msgs.hpp"

namespace gs_sim {
namespace {

namespace msgs = gs::msgs;
using gs::Rigid3;
using gs::Vec3;

constexpr int kDepth = 100;  // a second of the usual rate
const Vec3 kGravity(0, 0, -kStandardGravity);

// The turn from one attitude to another, as a vector along its axis.
Vec3 turnBetween(const gs::Quat& map_from_before, const gs::Quat& map_from_after) {
  const Eigen::AngleAxisd turn(map_from_before.conjugate() * map_from_after);
  const double angle = std::remainder(turn.angle(), 2 * M_PI);
  return angle * turn.axis();
}

Vec3 velocityOf(const EgoState& ego, const Rigid3& base_from_imu) {
  const EgoTwist& t = ego.twist;
  const Vec3 v(t.vx, t.vy, t.vz), w(t.wx, t.wy, t.wz);
  return mapFromBase(ego.pose).rotation * (v + w.cross(base_from_imu.translation));
}

// White noise and a bias that walks, on three axes.
class AxisNoise {
 public:
  AxisNoise(double noise_density, double random_walk, const std::array<double, 3>& bias)
      : noise_density_(noise_density),
        random_walk_(random_walk),
        bias_(bias[0], bias[1], bias[2]) {}

  // Of one sample that covers `seconds`.
  Vec3 next(double seconds, gs::Rng& rng) {
    const auto three = [&rng] {
      const double x = rng.normal(), y = rng.normal(), z = rng.normal();
      return Vec3(x, y, z);
    };
    if (random_walk_ > 0) bias_ += random_walk_ * std::sqrt(seconds) * three();
    if (noise_density_ > 0) return bias_ + noise_density_ / std::sqrt(seconds) * three();
    return bias_;
  }

 private:
  double noise_density_, random_walk_;
  Vec3 bias_;
};

class ImuSensor final : public Sensor {
 public:
  ImuSensor(SensorDescription description, const gs::ImuCalibration& imu, gs::Rng rng)
      : Sensor(std::move(description)),
        base_from_imu_(imu.extrinsics.baseFromSensor()),
        gyro_(imu.spec.gyro_noise_density, imu.spec.gyro_random_walk, imu.spec.gyro_bias),
        accel_(imu.spec.accel_noise_density, imu.spec.accel_random_walk, imu.spec.accel_bias),
        rng_(rng) {}

  SensorResult sample(const SensorStep& step) override {
    const Rigid3 map_from_imu = mapFromBase(step.ego.pose) * base_from_imu_;
    if (!map_from_imu.translation.allFinite() || !map_from_imu.rotation.coeffs().allFinite())
      return {nullptr, "the pose of the ego is not finite"};
    const double usual = 1 / description().rate_hz;
    ImuSample sample = before_ ? since(*before_, map_from_imu, step.info.stamp)
                               : atFirst(step.ego, map_from_imu, step.info.stamp);
    sample.angular_velocity += gyro_.next(usual, rng_);
    sample.specific_force += accel_.next(usual, rng_);
    return {toSensorData(sample), ""};
  }

  void restart() override { before_.reset(); }

 private:
  struct Before {
    gs::Stamp stamp;
    Rigid3 map_from_imu;
    Vec3 velocity;  // mean of the time before, map frame
  };

  // Between two samples the sensor went from pose to pose; its mean velocities differ by what it
  // felt, seen in the attitude that it had halfway.
  ImuSample since(const Before& before, const Rigid3& map_from_imu, gs::Stamp stamp) {
    const double seconds = gs::toSeconds(stamp - before.stamp);
    const Vec3 turn = turnBetween(before.map_from_imu.rotation, map_from_imu.rotation);
    const Vec3 velocity = (map_from_imu.translation - before.map_from_imu.translation) / seconds;
    const Vec3 felt = (velocity - before.velocity) / seconds - kGravity;
    const gs::Quat map_from_halfway =
        before.map_from_imu.rotation.slerp(0.5, map_from_imu.rotation);
    before_ = Before{stamp, map_from_imu, velocity};
    return {stamp, turn / seconds, map_from_halfway.conjugate() * felt};
  }

  ImuSample atFirst(const EgoState& ego, const Rigid3& map_from_imu, gs::Stamp stamp) {
    before_ = Before{stamp, map_from_imu, velocityOf(ego, base_from_imu_)};
    const Vec3 turning(ego.twist.wx, ego.twist.wy, ego.twist.wz);
    const Vec3 accelerated(ego.acceleration, ego.lateral_acceleration, 0);
    const gs::Quat imu_from_base = base_from_imu_.rotation.conjugate();
    return {stamp, imu_from_base * turning,
            imu_from_base * accelerated - map_from_imu.rotation.conjugate() * kGravity};
  }

  Rigid3 base_from_imu_;
  AxisNoise gyro_, accel_;
  gs::Rng rng_;
  std::optional<Before> before_;
};

std::array<double, 9> covarianceOf(double noise_density, double rate_hz) {
  const double variance = noise_density * noise_density * rate_hz;
  return {variance, 0, 0, 0, variance, 0, 0, 0, variance};
}

SensorTopic dataTopic(const std::string& id, const gs::ImuCalibration& imu, double rate_hz) {
  const auto make =
      [frame = imu.frame_id, gyro = covarianceOf(imu.spec.gyro_noise_density, rate_hz),
       accel = covarianceOf(imu.spec.accel_noise_density, rate_hz)](const ImuSample& sample) {
        const auto [sec, nanosec] = gs::toSecNanosec(sample.stamp);
        const Vec3 &w = sample.angular_velocity, &f = sample.specific_force;
        msgs::Imu message;
        message.header = {.stamp = {sec, nanosec}, .frame_id = frame};
        message.orientation_covariance[0] = -1;  // it does not tell its attitude
        message.angular_velocity = {w.x(), w.y(), w.z()};
        message.angular_velocity_covariance = gyro;
        message.linear_acceleration = {f.x(), f.y(), f.z()};
        message.linear_acceleration_covariance = accel;
        return message;
      };
  return smallTopic<msgs::Imu, ImuSample>("/imu/" + id + "/data", kDepth, make);
}

CreatedSensors createImus(const SensorContext& context) {
  CreatedSensors created;
  for (const std::string& id : context.ids) {
    const gs::ImuCalibration& imu = context.world.bundle.calibration.imus.at(id);
    const double rate_hz = context.rateOf(imu.rate_hz);
    created.sensors.push_back(
        std::make_unique<ImuSensor>(SensorDescription{.kind = "imu",
                                                      .id = id,
                                                      .frame_id = imu.frame_id,
                                                      .rate_hz = rate_hz,
                                                      .topics = {dataTopic(id, imu, rate_hz)},
                                                      .component = "Imu"},
                                    imu, context.randomNumbersOf("imu", id)));
  }
  return created;
}

}  // namespace

SensorKind imuKind() {
  return {.name = "imu",
          .ids = [](const gs::Calibration& calibration) { return keysOf(calibration.imus); },
          .create = createImus};
}

}  // namespace gs_sim
