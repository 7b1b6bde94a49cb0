// SPDX-License-Identifier: Apache-2.0
#include "gs_sim/gnss_sensor.hpp"

#include <algorithm>
#include <limits>
#include <utility>

#include "gs/core/error.hpp"
#include "gs/core/rng.hpp"
#include "gs/msgs/sensor_msgs.hpp"

namespace gs_sim {
namespace {

namespace msgs = gs::msgs;

constexpr int kDepth = 10;

bool isInside(const gs::GnssOutage& outage, const gs::Vec3& p_in_map) {
  return p_in_map.x() >= outage.x_min && p_in_map.x() <= outage.x_max &&
         p_in_map.y() >= outage.y_min && p_in_map.y() <= outage.y_max;
}

class GnssSensor final : public Sensor {
 public:
  GnssSensor(SensorDescription description, gs::GnssCalibration gnss, const gs::MapAnchor& anchor,
             gs::Rng rng)
      : Sensor(std::move(description)), gnss_(std::move(gnss)), anchor_(anchor), rng_(rng) {}

  SensorResult sample(const SensorStep& step) override {
    gs::Vec3 antenna = (mapFromBase(step.ego.pose) * gnss_.extrinsics.baseFromSensor()).translation;
    if (!antenna.allFinite()) return {nullptr, "the pose of the ego is not finite"};
    const auto& [horizontal, vertical, outages] = gnss_.spec;
    const bool is_blind = std::any_of(outages.begin(), outages.end(), [&](const auto& outage) {
      return isInside(outage, antenna);
    });
    // Drawn in any case: what comes after an outage does not depend on its length.
    const double east = rng_.normal(), north = rng_.normal(), up = rng_.normal();
    antenna += gs::Vec3(horizontal * east, horizontal * north, vertical * up);
    GnssFix fix{step.info.stamp, {}};
    if (!is_blind) fix.antenna = geoFromMap(anchor_, antenna);
    return {toSensorData(fix), ""};
  }

 private:
  gs::GnssCalibration gnss_;
  gs::MapAnchor anchor_;
  gs::Rng rng_;
};

SensorTopic fixTopic(const std::string& id, const gs::GnssCalibration& gnss) {
  const double h2 = gnss.spec.horizontal_std * gnss.spec.horizontal_std,
               v2 = gnss.spec.vertical_std * gnss.spec.vertical_std;
  const auto make = [frame = gnss.frame_id, h2, v2](const GnssFix& fix) {
    constexpr double kNone = std::numeric_limits<double>::quiet_NaN();
    const auto [sec, nanosec] = gs::toSecNanosec(fix.stamp);
    const gs::GeoPoint place = fix.antenna.value_or(gs::GeoPoint{kNone, kNone, kNone});
    msgs::NavSatFix message;
    message.header = {.stamp = {sec, nanosec}, .frame_id = frame};
    message.status = {
        fix.antenna ? msgs::NavSatStatus::kStatusFix : msgs::NavSatStatus::kStatusNoFix,
        msgs::NavSatStatus::kServiceGps};
    message.latitude = place.latitude;
    message.longitude = place.longitude;
    message.altitude = place.altitude;
    if (!fix.antenna) return message;
    message.position_covariance = {h2, 0, 0, 0, h2, 0, 0, 0, v2};
    message.position_covariance_type = msgs::NavSatFix::kCovarianceTypeDiagonalKnown;
    return message;
  };
  return smallTopic<msgs::NavSatFix, GnssFix>("/gnss/" + id + "/fix", kDepth, make);
}

CreatedSensors createReceivers(const SensorContext& context) {
  const gs::WorldBundle& bundle = context.world.bundle;
  const auto anchor = gs::findMapAnchor(bundle.metadata.coordinate_system);
  if (!anchor)
    throw gs::Error(
        {.code = gs::ErrorCode::InvalidCalibration,
         .component = "gnss",
         .message = "the world has a GNSS receiver, but where it is on Earth is not known",
         .details = {{"gnss", context.ids}},
         .suggestion = "Give origin_lat, origin_lon and origin_alt in "
                       "metadata.json, or set sensors.gnss.enable=false."});
  CreatedSensors created;
  for (const std::string& id : context.ids) {
    const gs::GnssCalibration& gnss = bundle.calibration.gnss.at(id);
    created.sensors.push_back(
        std::make_unique<GnssSensor>(SensorDescription{.kind = "gnss",
                                                       .id = id,
                                                       .frame_id = gnss.frame_id,
                                                       .rate_hz = context.rateOf(gnss.rate_hz),
                                                       .topics = {fixTopic(id, gnss)},
                                                       .component = "Gnss"},
                                     gnss, *anchor, context.randomNumbersOf("gnss", id)));
  }
  return created;
}

}  // namespace

SensorKind gnssKind() {
  return {.name = "gnss",
          .ids = [](const gs::Calibration& calibration) { return keysOf(calibration.gnss); },
          .create = createReceivers};
}

}  // namespace gs_sim
