// A ring with one producer (native) and one consumer (JavaScript, without calls into the addon) in one block
// of shared memory. A full ring never blocks the producer and never loses anything without a trace: the entry
// is not written, and counted, and the sequence numbers the consumer reads show where it is missing.
// lib/pacer/ring.ts is the other side.
//
// Block: 128 control words of 4 bytes, then `capacity` slots of 4 doubles. Words that different sides write
// are 128 bytes apart (two cache lines: the prefetcher of x86 fetches pairs).
#pragma once

#include <cstddef>
#include <cstdint>

#include "tscope/thread/shared_word.h"

namespace tscope::pacer {

/// Control words, by index.
enum RingWord : int {
  /// Entries written and read so far, both wrapping at 2^32.
  kHead = 0,
  kTail = 32,
  /// A RingState; entries that found the ring full (wrapping).
  kState = 64,
  kOverflow = 65,
  /// 1 = the consumer sleeps and wants to be woken.
  kWaiting = 96,
};
enum class RingState : int32_t { kRunning = 0, kExhausted = 1, kStopped = 2 };
constexpr size_t kControlWords = 128;
/// Doubles per slot: sequence number, planned ns, released ns, entries in the ring before this one.
constexpr size_t kSlotDoubles = 4;

constexpr size_t RingBytes(uint32_t capacity) {
  return kControlWords * sizeof(int32_t) + size_t{capacity} * kSlotDoubles * sizeof(double);
}

class RingWriter {
 public:
  /// `block`: RingBytes(capacity) bytes, zeroed, 8-byte aligned; `capacity` a power of two.
  RingWriter(void* block, uint32_t capacity)
      : words_(static_cast<int32_t*>(block)),
        slots_(reinterpret_cast<double*>(words_ + kControlWords)),
        capacity_(capacity) {}

  /// False (and counted) if the ring is full.
  bool Push(double sequence, double planned_ns, double released_ns) {
    const uint32_t depth = head_ - static_cast<uint32_t>(thread::LoadWord(words_ + kTail));
    if (depth >= capacity_) {
      thread::StoreWord(words_ + kOverflow, static_cast<int32_t>(++overflow_));
      return false;
    }
    double* slot = slots_ + size_t{head_ & (capacity_ - 1)} * kSlotDoubles;
    slot[0] = sequence;
    slot[1] = planned_ns;
    slot[2] = released_ns;
    slot[3] = depth;
    thread::StoreWord(words_ + kHead, static_cast<int32_t>(++head_));
    return true;
  }

  /// Is the consumer asleep? Says so once per sleep. Call after Push(), never before: the consumer says it
  /// sleeps and then looks for entries once more, so one of the two sides notices.
  bool TakeWaiting() {
    return thread::LoadWord(words_ + kWaiting) != 0 && thread::ExchangeWord(words_ + kWaiting, 0) != 0;
  }

  /// The last thing the producer does.
  void End(RingState state) { thread::StoreWord(words_ + kState, static_cast<int32_t>(state)); }

  uint32_t overflow() const { return overflow_; }

 private:
  int32_t* words_;
  double* slots_;
  uint32_t capacity_;
  uint32_t head_ = 0;
  uint32_t overflow_ = 0;
};

}  // namespace tscope::pacer
