/** Entry for `node --import`: `register.js?cache=DIR&fill=0|1`. Also runs in worker threads, which inherit the flag. */
import { installHooks } from './hooks.js';

const { searchParams } = new URL(import.meta.url);
await installHooks({ cacheDir: searchParams.get('cache') ?? '', fill: searchParams.get('fill') === '1' });
