#include "cli/output.h"

#include <gtest/gtest.h>
#include <sys/stat.h>

#include <filesystem>
#include <fstream>
#include <iterator>

namespace latchscope::cli {
namespace {

namespace fs = std::filesystem;

class ResultFileTest : public testing::Test {
 protected:
  ResultFileTest() : folder_(fs::path(testing::TempDir()) / fs::path(test_name())) {
    fs::remove_all(folder_);
    fs::create_directories(folder_);
  }
  ~ResultFileTest() override { fs::remove_all(folder_); }

  static std::string test_name() {
    return std::string("latchscope_") + testing::UnitTest::GetInstance()->current_test_info()->name();
  }
  std::string path(const char* name) const { return (folder_ / name).string(); }
  static void put(const std::string& file, const std::string& text) { std::ofstream(file) << text; }
  static std::string text_of(const std::string& file) {
    std::ifstream stream(file);
    return {std::istreambuf_iterator<char>(stream), {}};
  }
  size_t files() const {
    return static_cast<size_t>(std::distance(fs::directory_iterator(folder_), fs::directory_iterator()));
  }

  const fs::path folder_;
};

TEST_F(ResultFileTest, AnEarlierResultStaysUntilTheNewOneIsWhole) {
  put(path("result.json"), "earlier");
  ResultFile file(path("result.json"));
  EXPECT_FALSE(file.check());
  EXPECT_EQ(text_of(path("result.json")), "earlier");
  EXPECT_EQ(files(), 1u) << "no temporary file is left during the run";
  EXPECT_FALSE(file.write("new"));
  EXPECT_EQ(text_of(path("result.json")), "new\n");
  EXPECT_EQ(files(), 1u);
}

TEST_F(ResultFileTest, ANameMayBeAsLongAsTheFileSystemAllows) {
  const std::string longest(255, 'r');
  ResultFile file(path(longest.c_str()));
  EXPECT_FALSE(file.check());
  EXPECT_FALSE(file.write("new"));
  EXPECT_EQ(text_of(path(longest.c_str())), "new\n");
  ResultFile too_long(path((longest + "r").c_str()));
  const auto refused = too_long.check();
  ASSERT_TRUE(refused);
  EXPECT_NE(refused->value.find("too long"), std::string::npos) << refused->value;
}

TEST_F(ResultFileTest, APipeThatNoProgramReadsIsRefused) {
  ASSERT_EQ(mkfifo(path("pipe").c_str(), 0600), 0);
  const auto refused = ResultFile(path("pipe")).check();
  ASSERT_TRUE(refused);
  EXPECT_NE(refused->value.find("a pipe without a reader"), std::string::npos) << refused->value;
}

TEST_F(ResultFileTest, TheRightsOfAnEarlierResultStay) {
  put(path("result.json"), "earlier");
  fs::permissions(path("result.json"), fs::perms(0640));
  ResultFile file(path("result.json"));
  EXPECT_FALSE(file.check());
  EXPECT_FALSE(file.write("new"));
  EXPECT_EQ(fs::status(path("result.json")).permissions(), fs::perms(0640));
}

TEST_F(ResultFileTest, ALinkStaysALink) {
  fs::create_symlink("real.json", path("link.json"));
  ResultFile file(path("link.json"));
  EXPECT_FALSE(file.check());
  EXPECT_FALSE(file.write("new"));
  EXPECT_TRUE(fs::is_symlink(path("link.json")));
  EXPECT_EQ(text_of(path("real.json")), "new\n");
}

TEST_F(ResultFileTest, ADeviceIsWrittenAndStaysADevice) {
  ResultFile file("/dev/null");
  EXPECT_FALSE(file.check());
  EXPECT_FALSE(file.write("new"));
  EXPECT_TRUE(fs::is_character_file("/dev/null"));
}

TEST_F(ResultFileTest, AFullDeviceIsAnErrorThatNamesTheFile) {
  ResultFile file("/dev/full");
  EXPECT_FALSE(file.check());
  const auto error = file.write("new");
  ASSERT_TRUE(error);
  EXPECT_EQ(error->field, "--json");
  EXPECT_EQ(error->value, "/dev/full (No space left on device)");
}

TEST_F(ResultFileTest, WhatCannotBeWrittenIsRefusedBeforeTheRun) {
  for (const std::string& wrong : {folder_.string(), path("no-such-folder/result.json"),
                                   path(std::string(300, 'a').c_str()), path("file/result.json")}) {
    put(path("file"), "");
    ResultFile file(wrong);
    const auto error = file.check();
    ASSERT_TRUE(error) << wrong;
    EXPECT_EQ(error->field, "--json");
  }
  EXPECT_EQ(files(), 1u);
}

TEST_F(ResultFileTest, WithoutAFileNothingIsWritten) {
  for (const char* nowhere : {"", "-"}) {
    ResultFile file(nowhere);
    EXPECT_FALSE(file.is_file());
    EXPECT_FALSE(file.check());
    EXPECT_FALSE(file.write("new"));
  }
}

}  // namespace
}  // namespace latchscope::cli
