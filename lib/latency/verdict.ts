import type { Finding } from '../result/model.js';
import type { LatencyConfig } from '../suite/latency-options.js';
import { allows } from './ladder.js';
import type { LatencyRun } from './model.js';
import { summaryOf } from './summary.js';

/** A driver delay below this is never called limiting: it is the order of clock reads and of one cache miss. */
export const DRIVER_FLOOR_NS = 1000;
/** The share of service p50 that the driver's own p99 may take before it spoils a run. */
export const DRIVER_SHARE = 0.1;
/** Backlog, as a share of the events planned so far, from which a rate counts as not kept. */
export const BACKLOG_SHARE = 0.01;

const us = (ns: number) => `${Number((ns / 1000).toPrecision(3)).toLocaleString('en-US')} us`;
const perSec = (rate: number) => `${Math.round(rate).toLocaleString('en-US')}/s`;

/**
 * Did even the smallest backlog grow, from the second quarter of the plan to the last, to more than 1 % of all events? Stalls do not make that:
 * once they are caught up, the backlog is nothing again.
 */
export function isUnreachable(run: Omit<LatencyRun, 'findings'>): boolean {
  const [, second, , last] = run.minBacklog;
  const plannedPerSec = run.plannedNs > 0 ? (1e9 * run.plannedEvents) / run.plannedNs : Number.POSITIVE_INFINITY;
  // Lost events wait for ever; they say nothing about the rate and have a finding of their own.
  if (last - run.lost <= Math.max(2, BACKLOG_SHARE * run.plannedEvents)) return false;
  // A stall longer than the plan dwarfs the growth after it; not even a tenth of the rate says enough.
  return last > 1.2 * second || run.achievedPerSec < 0.1 * plannedPerSec;
}

/** p99 of the driver's own delay against what it may be, ns. */
export function driverLimit(run: Omit<LatencyRun, 'findings'>): { p99: number; limit: number; count: number } | null {
  const [delay, service] = [summaryOf(run.driverDelay), summaryOf(run.service)];
  if (delay.count === 0 || service.count === 0) return null;
  return {
    p99: delay.histogram.percentile(99),
    limit: Math.max(DRIVER_FLOOR_NS, DRIVER_SHARE * service.histogram.percentile(50)),
    count: delay.count,
  };
}

/** Everything a reader must know before using the numbers of a run. Pure: counts and histograms in, sentences out. */
export function findingsOf(run: Omit<LatencyRun, 'findings'>, config: LatencyConfig): Finding[] {
  const found: Finding[] = [];
  const add = (id: string, severity: Finding['severity'], message: string, data: Finding['data'] = {}) =>
    found.push({ id, severity, message, data });
  if (isUnreachable(run)) {
    const { achievedPerSec, bestPerSec } = run;
    // As time: at a high rate more would have fallen due by then than the plan has events.
    const backlogMs = Number(((1000 * run.minBacklog[3] * run.plannedNs) / (1e9 * run.plannedEvents)).toPrecision(3));
    add(
      'unreachable',
      'error',
      `The rate of ${perSec(config.ratePerSec)} cannot be reached: the backlog grew and, in the last quarter, never fell below ${backlogMs} ms of the plan; highest achieved ${perSec(Math.max(achievedPerSec, bestPerSec))} in one interval, ${perSec(achievedPerSec)} over the run. Every percentile measures the length of the run; lower the rate.`,
      {
        ratePerSec: config.ratePerSec,
        achievedPerSec,
        bestPerSec,
        minBacklog: run.minBacklog[3],
      },
    );
  }
  const driver = driverLimit(run);
  if (driver && driver.p99 > driver.limit) {
    // The tables would leave this percentile blank; as a warning it is better than nothing, with its count beside it.
    const few = allows(99, driver.count) ? '' : ` of only ${driver.count} events`;
    add(
      'driver-limited',
      'warning',
      `The driver itself was late: p99 ${us(driver.p99)}${few}, more than ${us(driver.limit)} (10 % of service p50, at least 1 us). Response times contain it; use a quieter CPU, pinning or a lower rate.`,
      { p99Ns: driver.p99, limitNs: driver.limit },
    );
  }
  if (run.skipped > 0) {
    const share = (100 * run.skipped) / run.plannedEvents;
    add(
      'partial-plan',
      'warning',
      `${run.skipped} of ${run.plannedEvents} events (${share.toPrecision(3)} %) were dropped because they were late; their waiting time is in no histogram.`,
      { skipped: run.skipped, planned: run.plannedEvents },
    );
  }
  if (run.lost > 0) {
    add(
      'lost',
      'error',
      `${run.lost} of ${run.issued} events were not done within ${config.timeoutNs / 1e6} ms; they are counted as at least that.`,
      {
        lost: run.lost,
        issued: run.issued,
      },
    );
  }
  if (run.overflow > 0) {
    add(
      'overflow',
      'error',
      `${run.overflow} events found the ring between pacer and event loop full and were not issued.`,
      { overflow: run.overflow },
    );
  }
  if (run.sampledTwice > 0) {
    const why = config.done === 'return' ? " If run() finishes later than its return, declare done: 'sample'." : '';
    add(
      'sampled-twice',
      'error',
      `sample() was called ${run.sampledTwice} times for events that were done already; only the first end counts.${why}`,
      {
        count: run.sampledTwice,
      },
    );
  }
  if (run.afterTimeout > 0) {
    add('after-timeout', 'warning', `${run.afterTimeout} events ended after they had been given up as lost.`, {
      count: run.afterTimeout,
    });
  }
  if (run.clockBackwards > 0) {
    add(
      'clock-backwards',
      'warning',
      `The clock went backwards ${run.clockBackwards} times; those differences are recorded as 0. Pin the measuring thread.`,
      {
        count: run.clockBackwards,
      },
    );
  }
  if (!config.coordinatedOmission) {
    add(
      'coordinated-omission',
      'warning',
      'Coordinated omission is not accounted for: every event is measured from its actual start, so stalls between events are in no number.',
    );
  }
  return found;
}
