import { hotClock } from '../../clock/index.js';
import type { ClockInfo } from '../../result/model.js';
import type { DriverClock } from '../task.js';

/** The hot clock as ns; the same time line as the pacer's and the sampler's. */
export function driverClock(): DriverClock & { readonly info: ClockInfo } {
  const { read, slot, nsPerTick, info } = hotClock();
  return {
    info,
    read,
    slot,
    nsPerTick,
    now() {
      read();
      return slot[0]! * nsPerTick;
    },
  };
}
