// 32-bit words in memory that JavaScript reads and writes with Atomics: the same words, sequentially
// consistent on both sides.
#pragma once

#include <cstdint>

#ifdef _MSC_VER
#include <intrin.h>
#endif

namespace tscope::thread {

inline int32_t LoadWord(const int32_t* word) {
#ifdef _MSC_VER
  return _InterlockedOr(reinterpret_cast<volatile long*>(const_cast<int32_t*>(word)), 0);
#else
  return __atomic_load_n(word, __ATOMIC_SEQ_CST);
#endif
}

inline void StoreWord(int32_t* word, int32_t value) {
#ifdef _MSC_VER
  _InterlockedExchange(reinterpret_cast<volatile long*>(word), value);
#else
  __atomic_store_n(word, value, __ATOMIC_SEQ_CST);
#endif
}

inline int32_t ExchangeWord(int32_t* word, int32_t value) {
#ifdef _MSC_VER
  return _InterlockedExchange(reinterpret_cast<volatile long*>(word), value);
#else
  return __atomic_exchange_n(word, value, __ATOMIC_SEQ_CST);
#endif
}

}  // namespace tscope::thread
