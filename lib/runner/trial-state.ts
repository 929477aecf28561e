/** What is known of one trial while its forks come in; the same for a live run and one read back from a journal. */
import type { Failure, Finding, Fork, Trial } from '../result/model.js';
import type { RerunReason } from './journal.js';
import type { TrialPlan } from './types.js';

export class TrialState {
  readonly plan: TrialPlan;
  readonly #forks = new Map<number, Fork>();
  readonly #discarded = new Set<number>();
  readonly #reruns: Record<RerunReason, number[]> = { clock: [], canary: [] };
  #strayKept = 0;
  #discardFailure: Failure | null = null;
  #failures = 0;
  #planned: number;

  constructor(plan: TrialPlan) {
    this.plan = plan;
    this.#planned = plan.forks;
  }

  /** Measured forks that are to run; more than the plan says when a stop rule asks for them. */
  get planned(): number {
    return this.#planned;
  }

  /** One more fork is to run. */
  expectOne(): void {
    this.#planned++;
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

  /** Notes that fork `fork` was measured again. */
  addRerun(fork: number, why: RerunReason = 'clock'): void {
    this.#reruns[why].push(fork);
  }

  /** How often forks were run again for their canaries. */
  get strayReruns(): number {
    return this.#reruns.canary.length;
  }

  /** Notes that the canaries of a fork strayed and it counts all the same, though such forks are to be run again. */
  keepStray(): void {
    this.#strayKept++;
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
    const whole = good === this.#planned && failure === null;
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
    const { clock, canary } = this.#reruns;
    const numbers = (list: readonly number[]) => [...new Set(list)].filter((fork) => fork >= 0).sort((a, b) => a - b);
    if (canary.length > 0) {
      const kept = this.#strayKept > 0 ? ` ${this.#strayKept} more strayed beyond the limit and count.` : '';
      findings.push({
        id: 'stray-rerun',
        severity: 'info',
        message: `Beside ${canary.length} fork(s) of this trial the canaries strayed, so the machine was slower than usual; they were run again, and what they had measured is in the journal, not in the score.${kept}`,
        data: { reruns: canary.length, strayedAndKept: this.#strayKept },
        forks: numbers(canary),
      });
    }
    if (clock.length > 0) {
      findings.push({
        id: 'clock-jump-rerun',
        severity: 'info',
        message: `The clock jumped in ${clock.length} fork(s) of this trial; what they had measured was put aside and they ran again.`,
        data: { reruns: clock.length },
        forks: numbers(clock),
      });
    }
    if (this.givenUp && ran < this.#planned) {
      findings.push({
        id: 'given-up',
        severity: 'warning',
        message: `Given up after ${this.#failures} failed fork(s): ${this.#planned - ran} of ${this.#planned} planned forks were not run.`,
        data: { failed: this.#failures, notRun: this.#planned - ran },
      });
    }
    return findings;
  }
}
