// SPDX-License-Identifier: Apache-2.0
#include <filesystem>
#include <fstream>
#include <map>
#include <set>
#include <sstream>

#include <gtest/gtest.h>

#include "gs/core/error.hpp"
#include "gs/formats/ros_schema.hpp"
#include "gs/msgs/all_messages.hpp"
#include "gs/msgs/simulation_interfaces_v1.hpp"

namespace gs {
namespace {

// clang-format off
// The hashes that ROS 2 Iron and later announce for these types.
const std::map<std::string, std::string> kRosHashes = {
    {"builtin_interfaces/msg/Time", "b106235e25a4c5ed35098aa0a61a3ee9c9b18d197f398b0e4206cea9acf9c197"},
    {"builtin_interfaces/msg/Duration", "e8d009f659816f758b75334ee1a9ca5b5c0b859843261f14c7f937349599d93b"},
    {"std_msgs/msg/Header", "f49fb3ae2cf070f793645ff749683ac6b06203e41c891e17701b1cb597ce6a01"},
    {"std_msgs/msg/String", "df668c740482bbd48fb39d76a70dfd4bd59db1288021743503259e948f6b1a18"},
    {"std_msgs/msg/ColorRGBA", "77a7a5b9ae477306097665106e0413ba74440245b1f3d0c6d6405fe5c7813fe8"},
    {"geometry_msgs/msg/Point", "6963084842a9b04494d6b2941d11444708d892da2f4b09843b9c43f42a7f6881"},
    {"geometry_msgs/msg/Vector3", "cc12fe83e4c02719f1ce8070bfd14aecd40f75a96696a67a2a1f37f7dbb0765d"},
    {"geometry_msgs/msg/Quaternion", "8a765f66778c8ff7c8ab94afcc590a2ed5325a1d9a076ffff38fbce36f458684"},
    {"geometry_msgs/msg/Pose", "d501954e9476cea2996984e812054b68026ae0bfae789d9a10b23daf35cc90fa"},
    {"geometry_msgs/msg/Twist", "9c45bf16fe0983d80e3cfe750d6835843d265a9a6c46bd2e609fcddde6fb8d2a"},
    {"geometry_msgs/msg/Accel", "dc448243ded9b1fcbcca24aba0c22f013dae06c354ba2d849571c0a2a3f57ca0"},
    {"geometry_msgs/msg/Transform", "beb83fbe698636351461f6f35d1abb20010c43d55374d81bd041f1ba2581fddc"},
    {"geometry_msgs/msg/TransformStamped", "0a241f87d04668d94099cbb5ba11691d5ad32c2f29682e4eb5653424bd275206"},
    {"geometry_msgs/msg/PoseStamped", "10f3786d7d40fd2b54367835614bff85d4ad3b5dab62bf8bca0cc232d73b4cd8"},
    {"geometry_msgs/msg/PoseWithCovariance", "9a7c0fd234b7f45c6098745ecccd773ca1085670e64107135397aee31c02e1bb"},
    {"geometry_msgs/msg/PoseWithCovarianceStamped", "26432f9803e43727d3c8f668d1fdb3c630f548af631e2f4e31382371bfea3b6e"},
    {"geometry_msgs/msg/TwistWithCovariance", "49f574f033f095d8b6cd1beaca5ca7925e296e84af1716d16c89d38b059c8c18"},
    {"geometry_msgs/msg/TwistStamped", "5f0fcd4f81d5d06ad9b4c4c63e3ea51b82d6ae4d0558f1d475229b1121db6f64"},
    {"geometry_msgs/msg/AccelWithCovariance", "230d51bd53bc36f260574e73b42941cefe44684753480b6fc330c032c5db5997"},
    {"geometry_msgs/msg/AccelWithCovarianceStamped", "61c9ad8928e71dd95ce791b2f02809ee2a0bbcc42cd0e4047fd00a822a08e444"},
    {"nav_msgs/msg/Odometry", "3cc97dc7fb7502f8714462c526d369e35b603cfc34d946e3f2eda2766dfec6e0"},
    {"nav_msgs/msg/Path", "1957a5bb3cee5da65c4e52e52b65a93df227efce4c20f8458b36e73066ca334b"},
    {"sensor_msgs/msg/Image", "d31d41a9a4c4bc8eae9be757b0beed306564f7526c88ea6a4588fb9582527d47"},
    {"sensor_msgs/msg/CompressedImage", "15640771531571185e2efc8a100baf923961a4d15d5569652e6cb6691e8e371a"},
    {"sensor_msgs/msg/CameraInfo", "b3dfd68ff46c9d56c80fd3bd4ed22c7a4ddce8c8348f2f59c299e73118e7e275"},
    {"sensor_msgs/msg/RegionOfInterest", "ad16bcba5f9131dcdba6fbded19f726f5440e3c513b4fb586dd3027eeed8abb1"},
    {"sensor_msgs/msg/PointField", "5c6a4750728c2bcfbbf7037225b20b02d4429634732146b742dee1726637ef01"},
    {"sensor_msgs/msg/PointCloud2", "9198cabf7da3796ae6fe19c4cb3bdd3525492988c70522628af5daa124bae2b5"},
    {"sensor_msgs/msg/Imu", "7d9a00ff131080897a5ec7e26e315954b8eae3353c3f995c55faf71574000b5b"},
    {"sensor_msgs/msg/NavSatFix", "62223ab3fe210a15976021da7afddc9e200dc9ec75231c1b6a557fc598a65404"},
    {"sensor_msgs/msg/JointState", "a13ee3a330e346c9d87b5aa18d24e11690752bd33a0350f11c5882bc9179260e"},
    {"sensor_msgs/msg/NavSatStatus", "d1ed3befa628e09571bd273b888ba1c1fd187c9a5e0006b385d7e5e9095a3204"},
    {"tf2_msgs/msg/TFMessage", "e369d0f05a23ae52508854b66f6aa0437f3449d652e8cbf22d5abe85d020f087"},
    {"rosgraph_msgs/msg/Clock", "692f7a66e93a3c83e71765d033b60349ba68023a8c689a79e48078bcb5c58564"},
    {"std_srvs/srv/Trigger_Request", "d010825374ce8918e72bfd826c82603e60f45419e932ea976f807b74a863a199"},
    {"std_srvs/srv/Trigger_Response", "2d946c21e2fc3f1e9ca6986a8191d85fcc70097a8bb7771a053564bc47009cdf"},
    {"std_srvs/srv/SetBool_Request", "c62fbb99d94e1b25e8ef9e109f9581956bb1b3361a45a4e5810c36a90d29932e"},
    {"std_srvs/srv/SetBool_Response", "d0814e7f7b4880ab77e9c57426c7aa1562ab69f11eef8e2e968812f9cbd0b059"},
    {"std_srvs/srv/Empty_Request", "458eaf200a3f63d9cc53d19436edebc0c140ef4c93ca75d5bd4ce19fd7759e35"},
    {"std_srvs/srv/Empty_Response", "0a2858b3f60df644a61d0fa44cfc923a3d3628e0ad9c8ad8534b1a2c92a413dc"},
    {"rcl_interfaces/msg/Log", "e28ce254ca8abc06abf92773b74602cdbf116ed34fbaf294fb9f81da9f318eac"},
    {"rcl_interfaces/msg/ParameterEvent", "043e627780fcad87a22d225bc2a037361dba713fca6a6b9f4b869a5aa0393204"},
    {"rcl_interfaces/msg/Parameter", "ddfe6442cffc462317adb5c92536a7b6dd55858c5c3e1e328165a6b73c2831af"},
    {"rcl_interfaces/msg/ParameterValue", "115fc089a387e23c7ecd3525c9189c379109119d6ab82e8dfbde0fdf6a7f9b68"},
    {"rcl_interfaces/msg/ParameterDescriptor", "52175dbfda6c51153101d33d2a9da05743f66f02d5ab2ca9ec4709b46b73d704"},
    {"rcl_interfaces/msg/SetParametersResult", "cfcc0fb0371ee5159b403960ef4300f8f9d2f1fd6117c8666b7f9654d528a9b1"},
    {"rcl_interfaces/msg/ListParametersResult", "237ae3428413dcbcfb452b510c42355f3a2b021dc091afa3e18526d57022f1cd"},
    {"rcl_interfaces/srv/GetParameters_Request", "135a9e1c3d7cebef792f6687d7ddf99949b21a0bd9a320d863a9110a3f5cf4d6"},
    {"rcl_interfaces/srv/GetParameters_Response", "9fa773b46e39cc5d02db6224d8fd520bb9caeeffc2b27c96c1e59431baba9f2a"},
    {"rcl_interfaces/srv/SetParameters_Request", "130d46386b7e84ea9ecf60608a4d83cbe5e5cb7c6cc5b712b7a4e3a6c254e932"},
    {"rcl_interfaces/srv/SetParameters_Response", "7a0e8140a0b8d98308fa81a5403a766e610af29a239caf54b7553227906fc266"},
    {"rcl_interfaces/srv/SetParametersAtomically_Request", "db0bd950ed5ed867a0e90b225e44dea382d762c0762ff3e0ee842190042a59e5"},
    {"rcl_interfaces/srv/SetParametersAtomically_Response", "31b1a38c5b0b9d893ee24da45f69638f4561c78461d82d52750f429b534502b8"},
    {"rcl_interfaces/srv/ListParameters_Request", "a1b0b5d6b967a5b8ac5bc8563c3ea678f349e312a6a4967227c5a96bc5ce38df"},
    {"rcl_interfaces/srv/ListParameters_Response", "31b937b82de3612426be79f231e386259f97e8dc843e3f2845288b4bfa296bdd"},
    {"rcl_interfaces/srv/DescribeParameters_Request", "05dd1c2bc87dec2627105c8070d6f9725c781a4f2ab852975bf105462b82b644"},
    {"rcl_interfaces/srv/DescribeParameters_Response", "ad6747319613c6131589e062e095b469a46cc764f7d0f12a001a49e6cd893995"},
    {"rcl_interfaces/srv/GetParameterTypes_Request", "87d7ec5ef545d4daa289d500025d31fb2437bc8b8365ca367161c4dac4be33fd"},
    {"rcl_interfaces/srv/GetParameterTypes_Response", "ac1335dce67c478e669434f6ac2fbff34fcd529580f272d3006785ba8b54e47f"},
    {"visualization_msgs/msg/Marker", "45b13ccf791f225962bf74e746f9644518855d783a6f42ba0cc14fde2b4f3ce0"},
    {"visualization_msgs/msg/MarkerArray", "86cb8800b6fb05b5eff1abd7a56f62a5641d3ae9a1c29e78e67e704f1d067dcf"},
    {"visualization_msgs/msg/MeshFile", "7710ece15a148fb7c9b546364cfb215bb06098087bd6394fe5b73a493508f8c4"},
    {"visualization_msgs/msg/UVCoordinate", "f27f7ed21fe360c6066944f856b801a0c0d1e94e815b6886444b42d90b196a26"},
    {"diagnostic_msgs/msg/DiagnosticArray", "5a8a36efb05fb25070fa0fb3810290c0e6cd4862b54a8fb975a1ee8dc55a333e"},
    {"diagnostic_msgs/msg/DiagnosticStatus", "b0e3e692ea2d54a8af2f4ef1930e81556a2db55216b771f8a7d2724ed47bf0e4"},
    {"diagnostic_msgs/msg/KeyValue", "d68081eaa540288c5440753baecef0c4e16e81a5f78ad68902ded5100413bb42"},
    {"rmw_dds_common/msg/ParticipantEntitiesInfo", "91a0593bacdcc50ea9bdcf849a938b128412cc1ea821245c663bcd26f83c295e"},
    {"ackermann_msgs/msg/AckermannDrive", "acf287a224a947dd1b0b87d6d76cdb73f497b0237b8fc73be2173b2ebbb82c99"},
    {"ackermann_msgs/msg/AckermannDriveStamped", "48ca7612a08d3bb72744fd98b71b7cf2ea24c6ad50fa4e1aa0bbad963c90d8cf"},
    {"autoware_control_msgs/msg/Control", "7818be59aa790ebb777db06e55a2c15e3756de4cc35c80b1e8271afc5bab2e9d"},
    {"autoware_control_msgs/msg/Lateral", "94d39634041a92db4e460dae93def564fbeb89142e9c64f9c2ed540a182935a1"},
    {"autoware_control_msgs/msg/Longitudinal", "4ac4a6b5085ee6bb12067b763568abbf68ec3f2baf64b49e1da360aa6413edc1"},
    {"autoware_vehicle_msgs/msg/VelocityReport", "9052adda949c32f4a98500abc1fb5bd23f2560e321eebdfbb25318d6108d4ce4"},
    {"autoware_vehicle_msgs/msg/SteeringReport", "aa3acc9ca95ebc4daf9dec0ecf87911ad9c196392857c3026bfead589db65a94"},
    {"autoware_vehicle_msgs/msg/GearReport", "4d14bc3f186c1a6af6a732bb5ebd540cdd742a56770012f4c3cb9e762de8f391"},
    {"autoware_vehicle_msgs/msg/GearCommand", "4aa982c6505fafa9bdca2d243d0a71e46ff9a1e7013767f13a533d0a5d30a1a6"},
    {"autoware_vehicle_msgs/msg/ControlModeReport", "968feaa6441be3c3b161f2eb65972a4b15394d0a7ddc4664318551280d1ff222"},
    {"type_description_interfaces/srv/GetTypeDescription_Request", "470f56ccbcf13d55c78c8b735fb12da03e639e5acded994426c89d94778d9e28"},
    {"type_description_interfaces/srv/GetTypeDescription_Response", "648c49d976240861a482f961c5621ddd0d2135d8cce6f297a76d4f6376d93b75"},
    {"simulation_interfaces/msg/Resource", "2bb1939cf80f8d2f284afba53cbec60b5ff33759bd39b714128ea8867a34c51a"},
    {"simulation_interfaces/msg/Result", "cf43a306adff3337a0a47143d8f5689933bc70a30478f13b077dc1fe3bc5ad17"},
    {"simulation_interfaces/msg/WorldResource", "e3b65ecf904b9b115673e4a343c6aa3d28c19e185a71228faa64b783afcf2403"},
    {"simulation_interfaces/srv/LoadWorld_Request", "cd389402a680703d3f9b45b1c3d6bb09c0578b4644654227f0b2e98a2f059f48"},
    {"simulation_interfaces/srv/LoadWorld_Response", "7bab3265c2461d98a44dd04830c5dc997b3d8605c50861824066246c96a7716e"},
    {"unique_identifier_msgs/msg/UUID", "1b8e8aca958cbea28fe6ef60bf6c19b683c97a9ef60bb34752067d0f2f7ab437"},
    {"action_msgs/msg/GoalInfo", "6398fe763154554353930716b225947f93b672f0fb2e49fdd01bb7a7e37933e9"},
    {"action_msgs/msg/GoalStatus", "32f4cfd717735d17657e1178f24431c1ce996c878c515230f6c5b3476819dbb9"},
    {"action_msgs/msg/GoalStatusArray", "6c1684b00f177d37438febe6e709fc4e2b0d4248dca4854946f9ed8b30cda83e"},
    {"action_msgs/srv/CancelGoal_Request", "3d3c84653c1f96918086887e1dcb236faec88b81a5b14fd4cf4840065bcdf8af"},
};
// clang-format on

TEST(RosSchema, HashesAreThoseOfRos) {
  std::map<std::string, std::string> found;
  msgs::forEachMessage([&]<typename Message>() {
    const auto known = kRosHashes.find(Message::kRosType);
    if (known == kRosHashes.end()) return;
    found[Message::kRosType] = rosTypeHash<Message>().substr(7);
  });
  EXPECT_EQ(found, kRosHashes);
}

// What Jazzy's simulation_interfaces 1.5.1 says, against the structs.
TEST(RosSchema, TheFirstStandardInterfacesHaveTheirOwnRequests) {
  namespace v1 = msgs::simulation_interfaces::v1;
  const auto load = parseRosDefinition(
      "string uri\nstring resource_string\nbool fail_on_unsupported_element\n"
      "bool ignore_missing_or_unsupported_assets\n",
      v1::LoadWorldRequest::kRosType);
  EXPECT_EQ(describeRosType<v1::LoadWorldRequest>().type, load);
  EXPECT_EQ(rosTypeHash<v1::LoadWorldRequest>(), rosTypeHash(RosTypeTree{load, {}}));
  EXPECT_NE(rosTypeHash<v1::LoadWorldRequest>(),
            rosTypeHash<msgs::simulation_interfaces::LoadWorldRequest>());
  EXPECT_EQ(describeRosType<v1::SetEntityStateRequest>().type,
            parseRosDefinition("string entity\nEntityState state\n",
                               v1::SetEntityStateRequest::kRosType));
  EXPECT_NE(rosTypeHash<v1::SetEntityStateRequest>(),
            rosTypeHash<msgs::simulation_interfaces::SetEntityStateRequest>());
}

TEST(RosSchema, HashedTextIsTheTypeDescriptionAsJson) {
  EXPECT_EQ(
      toRosHashText(describeRosType<msgs::String>()),
      R"({"type_description": {"type_name": "std_msgs/msg/String", "fields": [{"name": "data", )"
      R"("type": {"type_id": 17, "capacity": 0, "string_capacity": 0, "nested_type_name": ""}}]}, )"
      R"("referenced_type_descriptions": []})");
}

TEST(RosSchema, TextListsTheTypeThenWhatItIsMadeOf) {
  const std::string line(80, '=');
  EXPECT_EQ(
      rosSchemaText<msgs::TFMessage>(),
      "geometry_msgs/TransformStamped[] transforms\n" + line +
          "\nMSG: builtin_interfaces/Time\nint32 sec\nuint32 nanosec\n" + line +
          "\nMSG: geometry_msgs/Quaternion\nfloat64 x\nfloat64 y\nfloat64 z\nfloat64 w\n" + line +
          "\nMSG: geometry_msgs/Transform\ngeometry_msgs/Vector3 translation\n"
          "geometry_msgs/Quaternion rotation\n" +
          line +
          "\nMSG: geometry_msgs/TransformStamped\nstd_msgs/Header header\nstring child_frame_id\n"
          "geometry_msgs/Transform transform\n" +
          line + "\nMSG: geometry_msgs/Vector3\nfloat64 x\nfloat64 y\nfloat64 z\n" + line +
          "\nMSG: std_msgs/Header\nbuiltin_interfaces/Time stamp\nstring frame_id\n");
}

TEST(RosSchema, TextHasBoundsAndConstants) {
  const std::string text = rosSchemaText<msgs::ParameterDescriptor>();
  EXPECT_NE(text.find("rcl_interfaces/IntegerRange[<=1] integer_range\n"), std::string::npos);
  EXPECT_EQ(
      rosSchemaText<msgs::FieldType>(),
      "uint8 type_id\nuint64 capacity\nuint64 string_capacity\nstring<=255 nested_type_name\n");
  EXPECT_TRUE(rosSchemaText<msgs::DiagnosticStatus>().starts_with("byte OK=0\nbyte WARN=1\n"));
}

TEST(RosSchema, DdsNamesAreThoseOfRmw) {
  EXPECT_EQ(ddsTypeName<msgs::Image>(), "sensor_msgs::msg::dds_::Image_");
  EXPECT_EQ(ddsTypeName<msgs::TriggerRequest>(), "std_srvs::srv::dds_::Trigger_Request_");
}

TEST(RosSchema, EveryTextIsReadBackAsTheSameType) {
  msgs::forEachMessage([]<typename Message>() {
    const RosTypeTree tree = describeRosType<Message>();
    const std::string text = toRosSchemaText(tree);
    const std::string own = text.substr(0, text.find(std::string(80, '=')));
    EXPECT_EQ(parseRosDefinition(own, Message::kRosType), tree.type);
  });
}

TEST(RosSchema, NamesTheLineThatIsNoDefinition) {
  for (const char* bad : {"float64", "float64[ x", "float64[0] x", "string<=x y", "Pose P=1",
                          "float64[<=] x", "uint8 X="})
    EXPECT_THROW(parseRosDefinition(bad, "a/msg/B"), Error) << bad;
  try {
    parseRosDefinition("# comment\nint32 x\nfloat64[ y\n", "a/msg/B");
    FAIL() << "no error";
  } catch (const Error& error) {
    EXPECT_EQ(error.report().message,
              "line 3 of a/msg/B is neither a field nor a constant: float64[ y");
  }
}

std::string readText(const std::filesystem::path& path) {
  std::ifstream file(path);
  std::stringstream text;
  text << file.rdbuf();
  return text.str();
}

// name -> definition, for both halves of each service too.
std::map<std::string, RosType> definitionsIn(const std::filesystem::path& package) {
  std::map<std::string, RosType> types;
  const auto add = [&](const std::string& name, const std::string& text) {
    types[name] = parseRosDefinition(text, name);
  };
  for (const auto& file : std::filesystem::directory_iterator(package / "msg"))
    add("gs_sim_msgs/msg/" + file.path().stem().string(), readText(file.path()));
  for (const auto& file : std::filesystem::directory_iterator(package / "srv")) {
    const std::string text = readText(file.path());
    const size_t line = text.find("\n---\n");
    EXPECT_NE(line, std::string::npos) << file.path();
    const std::string name = "gs_sim_msgs/srv/" + file.path().stem().string();
    add(name + "_Request", text.substr(0, line));
    add(name + "_Response", text.substr(line + 5));
  }
  return types;
}

TEST(GsSimMsgs, StructsAreExactlyTheDefinitionFiles) {
  const std::map<std::string, RosType> from_files = definitionsIn(GS_SIM_MSGS_DIR);
  std::map<std::string, RosType> from_structs;
  msgs::forEachMessage([&]<typename Message>() {
    const std::string name = Message::kRosType;
    if (name.starts_with("gs_sim_msgs/")) from_structs[name] = describeRosType<Message>().type;
  });
  ASSERT_EQ(from_files.size(), from_structs.size());
  for (const auto& [name, type] : from_files) {
    ASSERT_TRUE(from_structs.contains(name)) << name;
    EXPECT_EQ(toRosSchemaText({from_structs[name], {}}), toRosSchemaText({type, {}})) << name;
    EXPECT_EQ(from_structs[name], type);
  }
}

TEST(AllMessages, NamesAreUnique) {
  std::set<std::string> names;
  msgs::forEachMessage([&]<typename Message>() { names.insert(Message::kRosType); });
  EXPECT_EQ(names.size(), msgs::kMessageCount);
}

}  // namespace
}  // namespace gs
