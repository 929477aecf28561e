// A CPU that threads cannot be pinned to need not be reserved.
#ifndef __linux__
#include <cerrno>

#include "tscope/cpu/reservation.h"

namespace tscope::cpu {

int Reservation::Acquire(const std::string&, const std::vector<int>&, const std::string&, Holder*) {
  return ENOTSUP;
}
void Reservation::Release() { files_.clear(); }
int ListReservations(const std::string&, std::vector<Holder>*) { return ENOTSUP; }

}  // namespace tscope::cpu
#endif
