// Names of the runtime that host functions in the headers of kernels use. ptogo does not
// convert functions of the host, so these declarations only let the file compile.
#pragma once
#ifndef PTOGO_HOST_DECLARED
#define PTOGO_HOST_DECLARED
#include <cstddef>
#include <cstdint>

using aclrtContext = void *;
enum aclrtMemcpyKind { ACL_MEMCPY_HOST_TO_HOST, ACL_MEMCPY_HOST_TO_DEVICE, ACL_MEMCPY_DEVICE_TO_HOST, ACL_MEMCPY_DEVICE_TO_DEVICE };
enum aclrtMemMallocPolicy { ACL_MEM_MALLOC_HUGE_FIRST, ACL_MEM_MALLOC_HUGE_ONLY, ACL_MEM_MALLOC_NORMAL_ONLY };
enum aclDataType : int {};
enum aclFormat : int {};
using HcclComm = void *;
using HcclResult = int;
constexpr HcclResult HCCL_SUCCESS = 0;
constexpr int HCCL_ROOT_INFO_BYTES = 4108;
struct HcclRootInfo {
  char internal[HCCL_ROOT_INFO_BYTES];
};
PTOGO_HOST(aclInit) PTOGO_HOST(aclFinalize) PTOGO_HOST(aclrtSetDevice) PTOGO_HOST(aclrtResetDevice) PTOGO_HOST(aclrtGetDeviceCount)
PTOGO_HOST(aclrtCreateStream) PTOGO_HOST(aclrtDestroyStream) PTOGO_HOST(aclrtSynchronizeDevice) PTOGO_HOST(aclrtMalloc) PTOGO_HOST(aclrtMallocHost)
PTOGO_HOST(aclrtFree) PTOGO_HOST(aclrtFreeHost) PTOGO_HOST(aclrtMemset) PTOGO_HOST(aclrtMemcpy) PTOGO_HOST(aclrtMemcpyAsync)
PTOGO_HOST(HcclBarrier) PTOGO_HOST(HcclCommInitRootInfo) PTOGO_HOST(HcclCommDestroy) PTOGO_HOST(HcclGetCommName) PTOGO_HOST(HcclGetRootInfo)
// Owners of memory for asynchronous copies.
#define PTOGO_OWNER(SPACE, NAME)                                                                  \
  namespace pto::comm::SPACE {                                                                    \
  struct NAME {                                                                                   \
    template <class... A> bool Init(A...) { return true; }                                        \
    void Finalize() {}                                                                            \
    void *GetWorkspaceAddr() const { return nullptr; }                                            \
  };                                                                                              \
  }
PTOGO_OWNER(sdma, SdmaWorkspaceManager)
PTOGO_OWNER(urma, UrmaWorkspaceManager)
#endif
