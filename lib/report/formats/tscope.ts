import { formatResult } from '../../result/write.js';
import type { Reporter } from './reporter.js';

/** The result file itself, with everything that was measured. */
export const tscope: Reporter = {
  id: 'tscope',
  extension: 'json',
  about: 'the whole result file',
  defaultTarget: '-',
  format: formatResult,
};
