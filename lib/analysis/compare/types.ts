/** What a comparison is made of. Plain data: `tscope compare --json` prints it as it stands. */
import type { Mode, Params } from '../../result/model.js';
import type { Reading, Verdict } from '../../stats/decision.js';
import type { Better, RatioMethod } from '../../stats/ratio/types.js';

/** `auto`: paired where both arms ran in the same rounds and there are enough of them, log-delta otherwise. */
export type CompareMethod = 'auto' | 'log-delta' | 'geometric' | 'fieller' | 'bootstrap' | 'paired';
export const COMPARE_METHODS: readonly CompareMethod[] = [
  'auto',
  'log-delta',
  'geometric',
  'fieller',
  'bootstrap',
  'paired',
];

/** `plain`: all of the measured time, as JMH means a score; `aware`: without the time of a recorded external cause. */
export type ScoreKind = 'plain' | 'aware';
export const SCORE_KINDS: readonly ScoreKind[] = ['plain', 'aware'];

export interface CompareOptions {
  /** Smallest effect that matters, as a share. Default 0.01. */
  readonly delta?: number;
  /** Level of the intervals shown, and of all verdicts together. Default 0.95. */
  readonly confidence?: number;
  /** Default `auto`. */
  readonly method?: CompareMethod;
  /**
   * Which score is judged. Default `plain`. With `aware` a row whose forks have no such score (modes sample and ss, other harnesses) is
   * inconclusive with status `no-aware-score`: the two are never mixed.
   */
  readonly score?: ScoreKind;
  /** Seed of the bootstrap. Default 1. */
  readonly seed?: number;
  /** Ids of notes to silence. */
  readonly allow?: ReadonlySet<string>;
}

/** Something to know about a row or a comparison; silenced by id. */
export interface Note {
  readonly id: string;
  readonly message: string;
}

/** One fork of an arm. */
export interface ForkSample {
  /** 0-based number within its trial. */
  readonly fork: number;
  /** Score in the arm's unit. */
  readonly value: number;
  /** Score without time of a recorded external cause; null when it is unknown. */
  readonly aware: number | null;
  /** Measured iterations it averages. */
  readonly iterations: number;
  /** Sampled times, merged over iterations: [value in the arm's unit, count], ascending. Sample mode only. */
  readonly buckets: readonly (readonly [number, number])[] | null;
  /** Values of the arm's secondary metrics, by name, in their units; null where this fork has none. */
  readonly secondary: Readonly<Record<string, number | null>>;
  /** Round, and when the process ran, ms since the epoch; null where unknown (JMH). */
  readonly round: number | null;
  readonly startMs: number | null;
  readonly endMs: number | null;
}

/** What an arm measures beside its headline: a counter, a method of a group, a metric of another harness. */
export interface SecondaryOfArm {
  readonly name: string;
  readonly unit: string;
  /** Null: neither side is better. */
  readonly better: Better | null;
  /** A plain count: zeros are ordinary, and it does not drift with the speed of the machine. */
  readonly counts: boolean;
}

/** One side of a row: a trial, reduced to its forks. */
export interface Arm {
  /** Same for the same trial of another run: everything that tells trials apart. */
  readonly key: string;
  readonly file: string;
  readonly suite: string;
  /** `Suite.benchmark`. */
  readonly name: string;
  readonly params: Params;
  readonly mode: Mode;
  readonly unit: string;
  readonly better: Better;
  readonly baseline: boolean;
  readonly forks: readonly ForkSample[];
  /** Forks that should be there: failed ones included. Null = unknown. */
  readonly planned: number | null;
  readonly failed: number;
  /** First failure, when there is one. */
  readonly failure: string | null;
  /** Share of the measured time that the interference-aware score leaves out. */
  readonly lostShare: number;
  /** Medians over each fork of the arithmetic canary, ns; empty when none ran. */
  readonly canaries: readonly number[];
  readonly secondary: readonly SecondaryOfArm[];
}

/** A run as a comparison sees it. */
export interface ComparedRun {
  /** How the user named it: a path, usually. */
  readonly name: string;
  readonly harness: 'tscope' | 'jmh' | 'node:bench';
  readonly id: string | null;
  readonly createdAt: string | null;
  readonly arms: readonly Arm[];
  /** What must be alike in both runs: name and value, see `unlike`. */
  readonly facts: ReadonlyMap<string, string>;
  /** The same for each arm, by key. */
  readonly armFacts: ReadonlyMap<string, ReadonlyMap<string, string>>;
  /** What may differ but should be known: host, kernel. */
  readonly softFacts: ReadonlyMap<string, string>;
}

/**
 * Why a row has no interval, or a peculiar one. `constant`: no variation, a zero-width interval; `too-few-forks`: fewer than three on a
 * side; `not-positive`: a score of zero or below; `unbounded`: the denominator cannot be told from zero; `degenerate`: nothing to
 * resample; `failed`: forks failed, and what is left is not a fair sample; `no-data`: no fork measured anything; `mixed-units`: the two
 * measure different things; `unpaired`: method paired, but the forks did not run as pairs; `no-aware-score`: interference-aware scores are to be
 * judged, and some fork has none.
 */
export type RowStatus =
  | 'ok'
  | 'constant'
  | 'too-few-forks'
  | 'not-positive'
  | 'unbounded'
  | 'degenerate'
  | 'failed'
  | 'no-data'
  | 'mixed-units'
  | 'unpaired'
  | 'no-aware-score';

/**
 * What a row counts for. `headline`: the score; `shift`: p50, p90 and p99 of a sampled benchmark, judged like scores and with them;
 * `secondary`: everything else that was measured beside them. Secondary rows have Holm's correction among themselves, so that they take no
 * verdict from the others, and never decide an exit code.
 */
export type Standing = 'headline' | 'shift' | 'secondary';

/** One side of a row in numbers. */
export interface SideSummary {
  /** `Suite.benchmark`: the two differ when two benchmarks of one run are compared. */
  readonly name: string;
  /** Mean of fork values in the row's unit (quantiles: geometric mean); null without any. */
  readonly mean: number | null;
  readonly forks: number;
  readonly failed: number;
}

/** The same row by the score that was not judged. */
export interface OtherOutcome {
  readonly ratio: number;
  readonly interval: readonly [low: number, high: number];
  readonly verdict: Verdict;
  /** Shares of the measured time left out. */
  readonly lostBaseline: number;
  readonly lostCandidate: number;
}

export interface ComparisonRow {
  /** `across`: the same trial of two runs; `baseline`: against the suite's baseline; `winner`: best of a suite against the runner-up. */
  readonly kind: 'across' | 'baseline' | 'winner';
  readonly file: string;
  readonly suite: string;
  readonly params: Params;
  readonly mode: Mode;
  readonly standing: Standing;
  /** `score`, a quantile such as `p99`, or the name of a counter, of a method of a group or of another harness's metric. */
  readonly metric: string;
  readonly unit: string;
  /** Which direction of the metric is better; null where there is none, so that there is a ratio but no verdict. */
  readonly better: Better | null;
  /** Which side is the numerator of the cost ratio: the candidate when lower is better, or when there is no direction. */
  readonly numerator: 'candidate' | 'baseline';
  readonly baseline: SideSummary;
  readonly candidate: SideSummary;
  readonly status: RowStatus;
  /** Cost ratio: below 1 = candidate better. */
  readonly ratio: number | null;
  /** Its interval at `confidence`, not adjusted for the number of rows. */
  readonly interval: readonly [low: number, high: number] | null;
  readonly confidence: number;
  readonly delta: number;
  readonly method: RatioMethod | null;
  /** Degrees of freedom of the interval, where the method has them. */
  readonly df: number | null;
  /** After Holm's correction over the rows of its standing. A row without interval is inconclusive, one without direction has none. */
  readonly verdict: Verdict | null;
  readonly reading: Reading | null;
  /** The interval excludes 1: a real difference, possibly too small to matter. Null without interval. */
  readonly excludesOne: boolean | null;
  /** Holm-adjusted p of what the row leans to; null without interval. */
  readonly adjustedP: number | null;
  /** Forks a side (rounds, when paired) that can be expected to decide; only when inconclusive and known. */
  readonly forksNeeded: number | null;
  /** Which score was judged. Quantiles and secondary metrics have no aware one and are always plain. */
  readonly score: ScoreKind;
  /** What the interference-aware score says, when the plain one was judged, every fork has one and something was left out. */
  readonly aware: OtherOutcome | null;
  /** What the plain score says, when the aware one was to be judged and the two differ. */
  readonly plain: OtherOutcome | null;
  readonly notes: readonly Note[];
}

/** Geometric mean of the cost ratios of a suite: beside the rows, never instead of them. */
export interface SuiteSummary {
  readonly file: string;
  readonly suite: string;
  /** The benchmark judged against the baseline; null when two runs are compared. */
  readonly candidate: string | null;
  readonly ratio: number;
  readonly interval: readonly [low: number, high: number];
  readonly confidence: number;
  /** Rows in it, and rows of the suite that have no interval and are not. */
  readonly rows: number;
  readonly left: number;
}

/** Two runs that differ in what shapes a measurement. */
export interface Difference {
  readonly what: string;
  readonly baseline: string;
  readonly candidate: string;
  /** Trials it concerns; null = the runs as a whole. */
  readonly trials: readonly string[] | null;
}

export interface RunLabel {
  readonly name: string;
  readonly harness: ComparedRun['harness'];
  readonly id: string | null;
  readonly createdAt: string | null;
}

export interface Comparison {
  readonly format: 'tscope-comparison';
  readonly version: '1.1';
  readonly baseline: RunLabel;
  /** The same run when two benchmarks of one run are compared. */
  readonly candidate: RunLabel;
  readonly delta: number;
  readonly confidence: number;
  /** Which score was judged. */
  readonly score: ScoreKind;
  readonly rows: readonly ComparisonRow[];
  readonly summaries: readonly SuiteSummary[];
  /** Not empty only when the comparison was forced. */
  readonly differences: readonly Difference[];
  readonly notes: readonly Note[];
}
