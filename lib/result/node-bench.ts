/** Reads what node:bench prints with `--bench-reporter=json`: JSON lines; several runs may be put into one file. */
import * as v from 'valibot';
import { issueWords } from './issue-words.js';
import { ResultFileError } from './result-file-error.js';

/** One benchmark of one process. */
export interface NodeBenchRecord {
  /** Same for everything that one process measured. */
  readonly fileRunId: string;
  /** Path of the benchmark file, without its folders. */
  readonly file: string;
  readonly namePath: readonly string[];
  readonly params: Readonly<Record<string, string | number | boolean | null>>;
  readonly samples: readonly { readonly operations: number; readonly ns: number }[];
}

const completeSchema = v.looseObject({
  fileRunId: v.string(),
  entryFile: v.optional(v.string(), ''),
  namePath: v.pipe(v.array(v.string()), v.minLength(1)),
  params: v.optional(v.record(v.string(), v.union([v.string(), v.number(), v.boolean(), v.null()])), {}),
  samples: v.array(
    v.looseObject({
      operations: v.pipe(v.number(), v.finite(), v.minValue(1)),
      // A bigint, which JSON can only hold as text.
      duration_ns: v.pipe(v.string(), v.regex(/^[1-9]\d{0,29}$/)),
    }),
  ),
});

/** Does this text look like JSON lines of node:bench? */
export const isNodeBench = (text: string): boolean => /^\s*\{"type":"bench:/.test(text);

/**
 * The completed benchmarks of a file; failed and skipped ones have no samples and are not in it.
 *
 * @param name Name for messages, usually the path.
 * @throws ResultFileError `damaged`, naming the line.
 */
export function readNodeBench(text: string, name: string): NodeBenchRecord[] {
  const records: NodeBenchRecord[] = [];
  for (const [i, line] of text.split('\n').entries()) {
    if (line.trim() === '') continue;
    const damaged = (why: string) => new ResultFileError('damaged', `${name}: line ${i + 1} is damaged: ${why}.`);
    let value: { type?: unknown; data?: unknown };
    try {
      value = JSON.parse(line);
    } catch (error) {
      throw damaged((error as Error).message);
    }
    if (value?.type !== 'bench:complete') continue;
    const parsed = v.safeParse(v.looseObject({ data: completeSchema }), value, { abortEarly: true });
    if (!parsed.success) {
      const issue = parsed.issues[0];
      throw damaged(issueWords(issue));
    }
    const { fileRunId, entryFile, namePath, params, samples } = parsed.output.data;
    records.push({
      fileRunId,
      file: entryFile.split(/[\\/]/).at(-1)!,
      namePath,
      params,
      samples: samples.map(({ operations, duration_ns }) => ({ operations, ns: Number(duration_ns) })),
    });
  }
  return records;
}
