// bcryptprimitives.dll for wine 8, which has none: the one function that Rust's standard library takes from it.
// Windows itself has the whole library, so no package holds this one.

#include <windows.h>

// RtlGenRandom, by the name that advapi32 exports.
BOOLEAN NTAPI SystemFunction036(PVOID buffer, ULONG length);

__declspec(dllexport) BOOL WINAPI ProcessPrng(PBYTE buffer, SIZE_T length) {
    return SystemFunction036(buffer, (ULONG)length);
}
