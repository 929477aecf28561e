/** What is known of one trial while its forks come in; the same for a live run and one read back from a journal. */
import type { Failure, Finding, Fork, Trial } from '../result/model.js';
import type { TrialPlan } from './types.js';

export class TrialState {
  readonly plan: TrialPlan;
  readonly #forks = new Map<number, Fork>();
  readonly #discarded = new Set<number>();
  readonly #reruns: number[] = [];
  #discardFailure: Failure | null = null;
  #failures = 0;

  constructor(plan: TrialPlan) {
    this.plan = plan;
  }

  /** Takes a finished fork; `fork` < 0 for one that only warms the machine up. */
  add(fork: number, record: Fork): void {
    if (record.failure) this.#failures++;
    if (fork >= 0) {
      this.#forks.set(fork, record);
      return;
    }
    this.#discarded.add(fork);
    this.#discardFailure ??= record.failure;
  }

  /** Notes that fork `fork` was measured again because the clock jumped. */
  addRerun(fork: number): void {
    this.#reruns.push(fork);
  }

  has(fork: number): boolean {
    return this.#forks.has(fork) || this.#discarded.has(fork);
  }

  get failed(): boolean {
    return this.#failures > 0;
  }

  /** A trial is given up as soon as its failed forks outnumber its good ones: the rest would fail as well, or prove nothing. */
  get givenUp(): boolean {
    return this.#failures > this.#forks.size + this.#discarded.size - this.#failures;
  }

  /** The trial as it stands, without scores. */
  toTrial(): Trial {
    const { plan } = this;
    const forks = [...this.#forks.values()].sort((a, b) => a.index - b.index);
    const good = forks.filter(({ status }) => status === 'ok').length;
    const failure = this.#discardFailure ?? forks.find((fork) => fork.failure !== null)?.failure ?? null;
    const whole = good === plan.forks && failure === null;
    return {
      id: plan.id,
      file: plan.fileLabel,
      suite: plan.suite,
      benchmark: plan.benchmark,
      params: plan.params,
      mode: plan.mode,
      baseline: plan.baseline,
      options: plan.options,
      status: whole ? 'ok' : failure !== null && good === 0 ? 'failed' : 'partial',
      failure,
      forks,
      score: null,
      secondary: {},
      ...(plan.counters ? { counters: plan.counters } : {}),
      findings: [...plan.descriptionFindings, ...this.#findings(forks.length)],
    };
  }

  #findings(ran: number): Finding[] {
    const findings: Finding[] = [];
    if (this.#reruns.length > 0) {
      const forks = [...new Set(this.#reruns)].filter((fork) => fork >= 0).sort((a, b) => a - b);
      findings.push({
        id: 'clock-jump-rerun',
        severity: 'info',
        message: `The clock jumped in ${this.#reruns.length} fork(s) of this trial; what they had measured was put aside and they ran again.`,
        data: { reruns: this.#reruns.length },
        forks,
      });
    }
    if (this.givenUp && ran < this.plan.forks) {
      findings.push({
        id: 'given-up',
        severity: 'warning',
        message: `Given up after ${this.#failures} failed fork(s): ${this.plan.forks - ran} of ${this.plan.forks} planned forks were not run.`,
        data: { failed: this.#failures, notRun: this.plan.forks - ran },
      });
    }
    return findings;
  }
}
