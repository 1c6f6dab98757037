// Declarations against which isatest compiles the host part of a device test (main.cpp).
// They compute nothing: each operation on files, buffers and expectations is a call of a
// function isa_*, which package isatest interprets.
#pragma once
// A file with kernels can include the declarations of the front end for the runtime first.
#ifndef PTOGO_HOST_DECLARED
#define PTOGO_HOST_DECLARED
#define ISATEST_RUNTIME
#endif
#include <pto/pto-inst.hpp>
#include <cassert>
#include <cstdarg>
#include <cstdio>
#include <cstdlib>
#include <cstring>

extern "C" {
void isa_test(const char *suite, const char *name);
int64_t isa_current_suite();
int64_t isa_current_name();
int64_t isa_text(const char *text);
int64_t isa_joined(int64_t a, int64_t b);
int64_t isa_number(int64_t n);
int64_t isa_length(int64_t text);
int isa_equal(int64_t a, int64_t b);
const char *isa_chars(int64_t text);
void *isa_allocate(int64_t bytes);
void isa_copy(void *to, const void *from, int64_t bytes);
void isa_fill(void *to, int value, int64_t bytes);
int64_t isa_file_size(int64_t path);
int64_t isa_file_read(int64_t path, int64_t at, void *to, int64_t bytes);
void isa_file_write(int64_t path, const void *from, int64_t bytes, int append);
bool isa_compare(int element, const void *expected, const void *actual, int64_t n, float eps, int64_t threshold, int64_t zeros);
bool isa_compare_exact(int element, const void *expected, const void *actual, int64_t n);
void isa_expect(bool holds);
void isa_unknown(const char *what);
}

namespace std {
// Fills of arrays, which the tests clear byte by byte.
template <class T, class V> inline void fill(T *from, T *to, const V &value) {
  if (sizeof(T) == 1 || value == V(0)) isa_fill(from, (int)value, (to - from) * (int64_t)sizeof(T));
  else
    for (; from < to; from++) *from = value;
}
template <class T, class V> inline T *fill_n(T *from, int64_t n, const V &value) { return fill(from, from + n, value), from + n; }
struct isa_end {};
constexpr isa_end endl{}, hex{}, dec{}, fixed{}, left{}, right{}, scientific{}, boolalpha{}, flush{};
inline isa_end setw(int) { return {}; }
inline isa_end setprecision(int) { return {}; }
inline isa_end setfill(char) { return {}; }
struct ostream {
  template <class T> ostream &operator<<(const T &) { return *this; }
};
static ostream cout, cerr, clog;

struct string {
  int64_t id = isa_text("");
  static constexpr size_t npos = -1;
  string() = default;
  string(const char *text) : id(isa_text(text)) {}
  static string of(int64_t id) { string s("");  s.id = id; return s; }
  string operator+(const string &o) const { return of(isa_joined(id, o.id)); }
  string &operator+=(const string &o) { id = isa_joined(id, o.id); return *this; }
  bool operator==(const string &o) const { return isa_equal(id, o.id); }
  bool operator!=(const string &o) const { return !isa_equal(id, o.id); }
  const char *c_str() const { return isa_chars(id); }
  const char *data() const { return isa_chars(id); }
  size_t size() const { return isa_length(id); }
  size_t length() const { return isa_length(id); }
  bool empty() const { return isa_length(id) == 0; }
};
inline string operator+(const char *a, const string &b) { return string(a) + b; }
inline string to_string(int64_t n) { return string::of(isa_number(n)); }

template <class T> struct vector {
  using value_type = T;
  T *first = nullptr;
  size_t n = 0;
  vector() = default;
  explicit vector(size_t n) : first((T *)isa_allocate(n * sizeof(T))), n(n) {}
  vector(size_t n, const T &value) : vector(n) { fill(0, value); }
  template <class I, class = std::enable_if_t<!std::is_integral_v<I>>> vector(I from, I to) : vector(to - from) {
    for (size_t i = 0; i < n; i++) first[i] = from[i];
  }
  void fill(size_t from, const T &value) {
    for (size_t i = from; i < n; i++) first[i] = value;
  }
  void resize(size_t m) {
    T *to = (T *)isa_allocate(m * sizeof(T));
    isa_copy(to, first, (m < n ? m : n) * sizeof(T));
    first = to, n = m;
  }
  void resize(size_t m, const T &value) {
    size_t old = n;
    resize(m), fill(old, value);
  }
  void assign(size_t m, const T &value) { *this = vector(m, value); }
  void push_back(const T &value) { resize(n + 1), first[n - 1] = value; }
  T *data() { return first; }
  const T *data() const { return first; }
  size_t size() const { return n; }
  bool empty() const { return n == 0; }
  T &operator[](size_t i) { return first[i]; }
  const T &operator[](size_t i) const { return first[i]; }
  T *begin() { return first; }
  T *end() { return first + n; }
  const T *begin() const { return first; }
  const T *end() const { return first + n; }
};

struct ios {
  static constexpr int binary = 1, in = 2, out = 4, app = 8, trunc = 16, ate = 32, beg = 0, cur = 1, end = 2;
};
using ios_base = ios;
using streamsize = int64_t;
struct fstream_base {
  int64_t path = -1, at = 0, mode = 0;
  bool failed = false; // a number was expected where the file has none
  fstream_base() = default;
  fstream_base(const string &p, int mode) { open(p, mode); }
  void open(const string &p, int m = 0) {
    path = p.id, mode = m;
    if (m & ios::ate) at = isa_file_size(path);
  }
  bool is_open() const { return (mode & ios::out) || isa_file_size(path) >= 0; }
  bool good() const { return is_open(); }
  explicit operator bool() const { return is_open() && !failed; }
  bool operator!() const { return !is_open() || failed; }
  void close() {}
  fstream_base &seekg(int64_t to, int from = ios::beg) {
    at = from == ios::beg ? to : from == ios::cur ? at + to : isa_file_size(path) + to;
    return *this;
  }
  int64_t tellg() const { return at; }
  fstream_base &read(char *to, int64_t n) {
    at += isa_file_read(path, at, to, n);
    return *this;
  }
  fstream_base &write(const char *from, int64_t n) {
    isa_file_write(path, from, n, at > 0), at += n;
    return *this;
  }
  int64_t gcount() const { return at; }
};
struct ifstream : fstream_base {
  ifstream() = default;
  ifstream(const string &p, int mode = ios::in) : fstream_base(p, mode) {}
  template <class T> ifstream &operator>>(T &number) {
    static_assert(std::is_integral_v<T> && sizeof(T) > 1, "only whole numbers are read from text");
    char c = ' ';
    while ((c == ' ' || c == '\n' || c == '\r' || c == '\t') && isa_file_read(path, at, &c, 1)) at++;
    const bool negative = c == '-';
    if (negative && isa_file_read(path, at, &c, 1)) at++;
    if (c < '0' || c > '9') return failed = true, *this;
    number = 0;
    while (c >= '0' && c <= '9') {
      number = number * 10 + (c - '0'), c = ' ';
      if (isa_file_read(path, at, &c, 1)) at++;
    }
    if (negative) number = -number;
    return *this;
  }
};
struct ofstream : fstream_base {
  ofstream() = default;
  ofstream(const string &p, int mode = ios::out) : fstream_base(p, mode | ios::out) {}
};
namespace filesystem {
// The file that a test writes needs no folder.
inline bool create_directories(const string &) { return true; }
} // namespace filesystem
} // namespace std

namespace testing {
struct Test {
  virtual void SetUp() {}
  virtual void TearDown() {}
  static void SetUpTestSuite() {}
  static void TearDownTestSuite() {}
};
struct TestInfo {
  std::string name() const { return std::string::of(isa_current_name()); }
  std::string test_suite_name() const { return std::string::of(isa_current_suite()); }
  std::string test_case_name() const { return std::string::of(isa_current_suite()); }
};
struct UnitTest {
  TestInfo info;
  static UnitTest *GetInstance();
  const TestInfo *current_test_info() const { return &info; }
};
static UnitTest isa_unit;
inline UnitTest *UnitTest::GetInstance() { return &isa_unit; }
inline void InitGoogleTest(...) {}
} // namespace testing
inline int RUN_ALL_TESTS() { return 0; }

#define TEST_F(SUITE, NAME)                                                                          \
  struct isa_##SUITE##_##NAME : SUITE {                                                              \
    __attribute__((always_inline)) void body();                                                      \
  };                                                                                                 \
  extern "C" __attribute__((used, noinline, section("isa_test"))) void isa_run_##SUITE##_##NAME() {  \
    isa_test(#SUITE, #NAME);                                                                         \
    isa_##SUITE##_##NAME t;                                                                          \
    t.body();                                                                                        \
  }                                                                                                  \
  inline void isa_##SUITE##_##NAME::body()
#define TEST(SUITE, NAME)           \
  struct SUITE : testing::Test {};  \
  TEST_F(SUITE, NAME)

inline std::ostream &isa_checked(bool holds) {
  isa_expect(holds);
  return std::cout;
}
#define EXPECT_TRUE(X) isa_checked((bool)(X))
#define EXPECT_FALSE(X) isa_checked(!(X))
#define EXPECT_EQ(A, B) isa_checked((A) == (B))
#define EXPECT_NE(A, B) isa_checked((A) != (B))
#define EXPECT_LT(A, B) isa_checked((A) < (B))
#define EXPECT_LE(A, B) isa_checked((A) <= (B))
#define EXPECT_GT(A, B) isa_checked((A) > (B))
#define EXPECT_GE(A, B) isa_checked((A) >= (B))
struct isa_returns {
  void operator=(const std::ostream &) const {}
};
inline bool isa_holds(bool holds) {
  isa_expect(holds);
  return holds;
}
#define ISA_ASSERT(X)   \
  if (isa_holds(X))     \
    ;                   \
  else                  \
    return isa_returns() = std::cout
#define ASSERT_TRUE(X) ISA_ASSERT((bool)(X))
#define ASSERT_FALSE(X) ISA_ASSERT(!(X))
#define ASSERT_EQ(A, B) ISA_ASSERT((A) == (B))
#define ASSERT_NE(A, B) ISA_ASSERT((A) != (B))
#define ASSERT_LT(A, B) ISA_ASSERT((A) < (B))
#define ASSERT_LE(A, B) ISA_ASSERT((A) <= (B))
#define ASSERT_GT(A, B) ISA_ASSERT((A) > (B))
#define ASSERT_GE(A, B) ISA_ASSERT((A) >= (B))
#define SCOPED_TRACE(...) ((void)0)
#define FAIL() ISA_ASSERT(false)
#define ADD_FAILURE() isa_checked(false)
#define GTEST_SKIP() return isa_returns() = (isa_unknown("GTEST_SKIP"), std::cout)

// The runtime of the device.
#ifdef ISATEST_RUNTIME
using aclError = int;
using aclrtContext = void *;
using rtError_t = int;
using rtStream_t = void *;
constexpr int ACL_ERROR_NONE = 0, RT_ERROR_NONE = 0;
enum aclrtMemcpyKind { ACL_MEMCPY_HOST_TO_HOST, ACL_MEMCPY_HOST_TO_DEVICE, ACL_MEMCPY_DEVICE_TO_HOST, ACL_MEMCPY_DEVICE_TO_DEVICE };
enum aclrtMemMallocPolicy { ACL_MEM_MALLOC_HUGE_FIRST, ACL_MEM_MALLOC_HUGE_ONLY, ACL_MEM_MALLOC_NORMAL_ONLY };
inline int aclInit(const char *) { return 0; }
inline int aclFinalize() { return 0; }
inline int aclrtSetDevice(int) { return 0; }
inline int aclrtResetDevice(int) { return 0; }
inline int aclrtCreateStream(aclrtStream *s) { *s = nullptr; return 0; }
inline int aclrtDestroyStream(aclrtStream) { return 0; }
inline int aclrtSynchronizeStream(aclrtStream) { return 0; }
inline int aclrtSynchronizeDevice() { return 0; }
inline int aclrtMalloc(void **p, size_t n, int) { *p = isa_allocate(n); return 0; }
inline int aclrtMallocHost(void **p, size_t n) { *p = isa_allocate(n); return 0; }
inline int aclrtFree(void *) { return 0; }
inline int aclrtFreeHost(void *) { return 0; }
inline int aclrtMemset(void *p, size_t, int value, size_t n) { isa_fill(p, value, n); return 0; }
inline int aclrtMemcpy(void *to, size_t, const void *from, size_t n, int) { isa_copy(to, from, n); return 0; }
inline int aclrtMemcpyAsync(void *to, size_t, const void *from, size_t n, int, void *) { isa_copy(to, from, n); return 0; }
enum aclrtCmoType { ACL_RT_CMO_TYPE_PREFETCH, ACL_RT_CMO_TYPE_WRITEBACK, ACL_RT_CMO_TYPE_INVALID, ACL_RT_CMO_TYPE_FLUSH };
template <class... A> inline int aclrtCmoAsync(A...) { return 0; }
namespace pto::comm::sdma {
struct SdmaWorkspaceManager {
  void *memory = nullptr;
  template <class... A> bool Init(A...) { return memory = isa_allocate(4096), true; }
  void Finalize() {}
  void *GetWorkspaceAddr() const { return memory; }
};
} // namespace pto::comm::sdma
#endif
inline const char *aclGetRecentErrMsg() { return ""; }
inline const char *aclrtGetSocName() { return ""; }
inline float aclFloat16ToFloat(aclFloat16 x) { return (float)__builtin_bit_cast(half, x); }
inline aclFloat16 aclFloatToFloat16(float x) { return __builtin_bit_cast(aclFloat16, (half)x); }
inline int rtGetAiCoreCount(uint32_t *cores) { *cores = 24; return 0; }
inline int rtGetC2cCtrlAddr(uint64_t *address, uint32_t *n) { *address = 1, *n = 8; return 0; }

inline int memcpy_s(void *to, size_t, const void *from, size_t n) { isa_copy(to, from, n); return 0; }
inline int memset_s(void *to, size_t, int value, size_t n) { isa_fill(to, value, n); return 0; }
constexpr int EOK = 0;

namespace PtoTestCommon {
#define INFO_LOG(...) ((void)0)
#define WARN_LOG(...) ((void)0)
#define ERROR_LOG(...) ((void)0)
#define PAD_VALUE_NULL (-100)
#define PAD_VALUE_MAX (1)
#define PAD_VALUE_MIN (-1)
#define CHECK_RESULT_GTEST(x) ASSERT_TRUE(x)
inline bool ReadFile(const std::string &path, size_t &size, void *to, size_t room) {
  int64_t n = isa_file_size(path.id);
  if (n <= 0 || (size_t)n > room) return false;
  isa_file_read(path.id, 0, to, n);
  size = n;
  return true;
}
inline bool WriteFile(const std::string &path, const void *from, size_t n) {
  isa_file_write(path.id, from, n, 0);
  return true;
}
enum printDataType { DT_UNDEFINED = -1, FLOAT, HALF, INT8_T, INT32_T, UINT8_T, INT16_T = 6, UINT16_T, UINT32_T, INT64_T, UINT64_T, DOUBLE, BOOL, STRING, BF16 = 27 };
inline void PrintData(const void *, size_t, printDataType, size_t = 16) {}
// The number of an element type; types of the test itself convert to integers of a byte.
template <class T> constexpr int isa_element() {
  if constexpr (std::is_class_v<T> && !std::is_same_v<T, bfloat16_t>) return sizeof(T) == 1 ? 108 : 0;
  else return pto::ptogo_element_of<T>();
}
template <class T>
bool ResultCmp(const std::vector<T> &expected, const T *actual, float eps, size_t threshold = 0, size_t zeros = 1000, bool = false, bool = false, size_t = 0) {
  return isa_compare(isa_element<T>(), expected.first, actual, expected.n, eps, threshold, zeros);
}
template <class T>
bool ResultCmp(const std::vector<T> &expected, const std::vector<T> &actual, float eps, size_t threshold = 0, size_t zeros = 1000, bool = false, bool = false, size_t = 0) {
  return expected.n == actual.n && ResultCmp(expected, (const T *)actual.first, eps, threshold, zeros);
}
template <class T> bool ResultCmpExact(const std::vector<T> &expected, const T *actual) {
  return isa_compare_exact(isa_element<T>(), expected.first, actual, expected.n);
}
} // namespace PtoTestCommon
