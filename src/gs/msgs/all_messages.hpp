// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <type_traits>

#include "gs/msgs/ackermann_msgs.hpp"
#include "gs/msgs/action_msgs.hpp"
#include "gs/msgs/autoware_control_msgs.hpp"
#include "gs/msgs/autoware_vehicle_msgs.hpp"
#include "gs/msgs/builtin_interfaces.hpp"
#include "gs/msgs/diagnostic_msgs.hpp"
#include "gs/msgs/geometry_msgs.hpp"
#include "gs/msgs/gs_sim_msgs.hpp"
#include "gs/msgs/nav_msgs.hpp"
#include "gs/msgs/rcl_interfaces.hpp"
#include "gs/msgs/rmw_dds_common.hpp"
#include "gs/msgs/rosgraph_msgs.hpp"
#include "gs/msgs/sensor_msgs.hpp"
#include "gs/msgs/simulation_interfaces.hpp"
#include "gs/msgs/std_msgs.hpp"
#include "gs/msgs/std_srvs.hpp"
#include "gs/msgs/tf2_msgs.hpp"
#include "gs/msgs/type_description_interfaces.hpp"
#include "gs/msgs/unique_identifier_msgs.hpp"
#include "gs/msgs/visualization_msgs.hpp"

// Every message and service half that we know: for tests, fuzzing and the registration of schemas.
namespace gs::msgs {

template <typename... Messages>
struct MessageList {
  static constexpr size_t kSize = sizeof...(Messages);
};

// Fuzz inputs begin with an index into this list: append, never insert.
using AllMessages = MessageList<
    Time, Duration, Header, String, ColorRGBA, Point, Vector3, Quaternion, Pose, Twist, Accel,
    Transform, TransformStamped, PoseStamped, TwistStamped, PoseWithCovariance,
    PoseWithCovarianceStamped, TwistWithCovariance, TwistWithCovarianceStamped, AccelWithCovariance,
    AccelWithCovarianceStamped, Odometry, Path, Image, CompressedImage, RegionOfInterest,
    CameraInfo, PointField, PointCloud2, Imu, NavSatStatus, NavSatFix, TFMessage, Clock,
    AckermannDrive, AckermannDriveStamped, TriggerRequest, TriggerResponse, SetBoolRequest,
    SetBoolResponse, EmptyRequest, EmptyResponse, Log, ParameterType, ParameterValue, Parameter,
    ParameterEvent, FloatingPointRange, IntegerRange, ParameterDescriptor, SetParametersResult,
    ListParametersResult, GetParametersRequest, GetParametersResponse, GetParameterTypesRequest,
    GetParameterTypesResponse, SetParametersRequest, SetParametersResponse,
    SetParametersAtomicallyRequest, SetParametersAtomicallyResponse, ListParametersRequest,
    ListParametersResponse, DescribeParametersRequest, DescribeParametersResponse, KeyValue,
    DiagnosticStatus, DiagnosticArray, TypeDescriptionKeyValue, FieldType, Field,
    IndividualTypeDescription, TypeDescription, TypeSource, GetTypeDescriptionRequest,
    GetTypeDescriptionResponse, UVCoordinate, MeshFile, Marker, MarkerArray, Lateral, Longitudinal,
    Control, VelocityReport, SteeringReport, GearReport, GearCommand, ControlModeReport, Engage,
    TurnIndicatorsReport, HazardLightsReport, TurnIndicatorsCommand, HazardLightsCommand,
    ControlModeCommandRequest, ControlModeCommandResponse, VehicleControlCmd, VehicleState,
    SimulationStatus, WorldInfo, LoadWorldRequest, LoadWorldResponse, ResetWorldRequest,
    ResetWorldResponse, SetEgoPoseRequest, SetEgoPoseResponse, SimulationControlRequest,
    SimulationControlResponse, Gid, NodeEntitiesInfo, ParticipantEntitiesInfo,
    simulation_interfaces::Result, simulation_interfaces::SimulationState,
    simulation_interfaces::EntityState, simulation_interfaces::EntityCategory,
    simulation_interfaces::TagsFilter, simulation_interfaces::Bounds,
    simulation_interfaces::EntityFilters, simulation_interfaces::Resource,
    simulation_interfaces::WorldResource, simulation_interfaces::SimulatorFeatures,
    simulation_interfaces::GetSimulatorFeaturesRequest,
    simulation_interfaces::GetSimulatorFeaturesResponse,
    simulation_interfaces::GetSimulationStateRequest,
    simulation_interfaces::GetSimulationStateResponse,
    simulation_interfaces::SetSimulationStateRequest,
    simulation_interfaces::SetSimulationStateResponse, simulation_interfaces::StepSimulationRequest,
    simulation_interfaces::StepSimulationResponse, simulation_interfaces::ResetSimulationRequest,
    simulation_interfaces::ResetSimulationResponse, simulation_interfaces::GetEntitiesRequest,
    simulation_interfaces::GetEntitiesResponse, simulation_interfaces::GetEntityStateRequest,
    simulation_interfaces::GetEntityStateResponse, simulation_interfaces::SetEntityStateRequest,
    simulation_interfaces::SetEntityStateResponse, simulation_interfaces::GetCurrentWorldRequest,
    simulation_interfaces::GetCurrentWorldResponse, simulation_interfaces::LoadWorldRequest,
    simulation_interfaces::LoadWorldResponse, UUID, GoalInfo, GoalStatus, GoalStatusArray,
    CancelGoalRequest, CancelGoalResponse, JointState>;

constexpr size_t kMessageCount = AllMessages::kSize;

namespace detail {
template <typename Visit, typename... Messages>
void forEachOf(Visit&& visit, MessageList<Messages...>) {
  (visit.template operator()<Messages>(), ...);
}
}  // namespace detail

// forEachMessage([]<typename Message>() { use(Message::kRosType); });
template <typename Visit>
void forEachMessage(Visit&& visit) {
  detail::forEachOf(visit, AllMessages());
}

}  // namespace gs::msgs
