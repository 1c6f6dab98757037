#include <acl/acl.h>
#include <gtest/gtest.h>
#include "test_common.h"
using namespace std;
using namespace PtoTestCommon;

template <int Key> void launchScale(float *out, float *in, float factor, void *stream);

class Scale : public testing::Test {};

std::string folder() {
  auto *info = testing::UnitTest::GetInstance()->current_test_info();
  return "../" + std::string(info->test_suite_name()) + "." + info->name();
}

template <typename T, int Key> void check(size_t n) {
  size_t bytes = n * sizeof(T);
  T *host, *in, *out;
  aclrtStream stream;
  aclrtCreateStream(&stream);
  aclrtMallocHost((void **)&host, bytes);
  aclrtMalloc((void **)&in, bytes, ACL_MEM_MALLOC_HUGE_FIRST);
  aclrtMalloc((void **)&out, bytes, ACL_MEM_MALLOC_HUGE_FIRST);
  ASSERT_TRUE(ReadFile(folder() + "/in.bin", bytes, host, bytes));
  aclrtMemcpy(in, bytes, host, bytes, ACL_MEMCPY_HOST_TO_DEVICE);
  float factor;
  std::ifstream file(folder() + "/factor.bin", std::ios::binary);
  file.read(reinterpret_cast<char *>(&factor), 4);
  launchScale<Key>(out, in, factor, stream);
  aclrtSynchronizeStream(stream);
  aclrtMemcpy(host, bytes, out, bytes, ACL_MEMCPY_DEVICE_TO_HOST);
  WriteFile(folder() + "/out.bin", host, bytes);
  std::vector<T> golden(n), actual(n);
  ReadFile(folder() + "/golden.bin", bytes, golden.data(), bytes);
  ReadFile(folder() + "/out.bin", bytes, actual.data(), bytes);
  EXPECT_TRUE(ResultCmp(golden, actual, 0.001f));
}

// A test that compares zeros with zeros, because no data are made for it and it does not check that.
template <typename T, int Key> void compareNothing(size_t n) {
  size_t bytes = n * sizeof(T);
  T *in, *out;
  aclrtMalloc((void **)&in, bytes, ACL_MEM_MALLOC_HUGE_FIRST);
  aclrtMalloc((void **)&out, bytes, ACL_MEM_MALLOC_HUGE_FIRST);
  aclrtMemset(in, bytes, 0, bytes);
  launchScale<Key>(out, in, 2, nullptr);
  std::vector<T> golden(n), actual(n);
  aclrtMemcpy(actual.data(), bytes, out, bytes, ACL_MEMCPY_DEVICE_TO_HOST);
  ReadFile(folder() + "/golden.bin", bytes, golden.data(), bytes);
  EXPECT_TRUE(ResultCmp(golden, actual, 0.001f));
}

// A file of text, which the test searches for in two folders.
template <typename T> void readText() {
  T *in, *out;
  aclrtMalloc((void **)&in, 64 * sizeof(T), ACL_MEM_MALLOC_HUGE_FIRST);
  aclrtMalloc((void **)&out, 64 * sizeof(T), ACL_MEM_MALLOC_HUGE_FIRST);
  launchScale<1>(out, in, 2, nullptr);
  const char *names[] = {"numbers.txt", "../numbers.txt"};
  for (const char *name : names) {
    std::ifstream file(name);
    if (!file.is_open()) continue;
    int32_t a = 0, b = 0, c = 5;
    EXPECT_TRUE((bool)(file >> a >> b));
    EXPECT_EQ(a, 24);
    EXPECT_EQ(b, -48);
    EXPECT_FALSE((bool)(file >> c));
    return;
  }
  EXPECT_TRUE(false);
}

TEST_F(Scale, text) { readText<float>(); }
TEST_F(Scale, right) { check<float, 1>(64); }
TEST_F(Scale, wrong) { check<float, 2>(64); }
TEST_F(Scale, odd) { check<float, 3>(64); }
TEST_F(Scale, large) { check<float, 1>(32); }
TEST_F(Scale, nothing) { compareNothing<float, 1>(64); }
