/**
 * JMH's short flags, most of them longer than one letter behind one dash, which no usual parser reads. They are turned into our long
 * names before parsing; their meaning is JMH's (a bare time is in seconds).
 */
export const JMH_FLAGS: Readonly<Record<string, string>> = {
  '-f': '--forks',
  '-wf': '--warmup-forks',
  '-wi': '--warmup-iterations',
  '-wm': '--warmup-mode',
  '-w': '--warmup-time',
  '-wbs': '--warmup-batch-size',
  '-i': '--iterations',
  '-r': '--iteration-time',
  '-bs': '--batch-size',
  '-bm': '--mode',
  '-tu': '--unit',
  '-opi': '--ops-per-invocation',
  '-t': '--threads',
  '-to': '--timeout',
  '-si': '--sync-iterations',
  '-gc': '--gc',
  '-p': '--param',
  '-e': '--exclude',
  '-l': '--list',
  '-lp': '--list-params',
  '-o': '--log',
  '-rf': '--result-format',
  '-rff': '--result-file',
  '-foe': '--fail-on-error',
  '-v': '--verbosity',
  '-jvm': '--node',
  '-jvmArgs': '--node-args',
  '-h': '--help',
};

/** The short flag of a long one, for help. */
export const shortOf = (long: string): string | undefined =>
  Object.entries(JMH_FLAGS).find(([, name]) => name === long)?.[0];

/** Arguments with JMH's flags in long form; `-f 5`, `-f=5` and, for one letter, `-f5` are read. All after `--` is left alone. */
export function expandJmhFlags(args: readonly string[]): string[] {
  const end = args.indexOf('--');
  return args.map((arg, i) => {
    if ((end >= 0 && i > end) || !/^-[A-Za-z]/.test(arg)) return arg;
    const [flag, value] = arg.split(/=(.*)/s, 2) as [string, string?];
    if (JMH_FLAGS[flag]) return value === undefined ? JMH_FLAGS[flag] : `${JMH_FLAGS[flag]}=${value}`;
    const letter = /^(-[a-z])(\d.*)$/.exec(arg);
    const long = letter && JMH_FLAGS[letter[1]!];
    return long ? `${long}=${letter[2]}` : arg;
  });
}
