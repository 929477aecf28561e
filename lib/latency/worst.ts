/** One of the slowest events; times are ns after t0. */
export interface WorstEntry {
  readonly seq: number;
  readonly plannedNs: number;
  readonly startNs: number;
  readonly endNs: number;
  readonly responseNs: number;
}

const KEPT = 16;
const FIELDS = 5;

/** The slowest events of a run. Below the slowest kept so far an offer is one comparison. */
export class Worst {
  private readonly rows = new Float64Array(KEPT * FIELDS);
  private size = 0;
  /** An event faster than this is not among the worst. */
  floor = -1;

  offer(seq: number, planned: number, start: number, end: number, response: number): void {
    const { rows } = this;
    let row = this.size;
    if (row < KEPT) this.size++;
    else {
      row = 0;
      for (let i = 1; i < KEPT; i++) if (rows[i * FIELDS + 4]! < rows[row * FIELDS + 4]!) row = i;
    }
    const at = row * FIELDS;
    rows[at] = seq;
    rows[at + 1] = planned;
    rows[at + 2] = start;
    rows[at + 3] = end;
    rows[at + 4] = response;
    if (this.size < KEPT) return;
    let least = Number.POSITIVE_INFINITY;
    for (let i = 4; i < rows.length; i += FIELDS) if (rows[i]! < least) least = rows[i]!;
    this.floor = least;
  }

  /** Slowest first. */
  entries(): WorstEntry[] {
    const list: WorstEntry[] = [];
    for (let i = 0; i < this.size; i++) {
      const [seq, plannedNs, startNs, endNs, responseNs] = this.rows.subarray(i * FIELDS, (i + 1) * FIELDS);
      list.push({ seq: seq!, plannedNs: plannedNs!, startNs: startNs!, endNs: endNs!, responseNs: responseNs! });
    }
    return list.sort((a, b) => b.responseNs - a.responseNs || a.seq - b.seq);
  }
}
