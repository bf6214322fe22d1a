import { autocannonLoad } from './autocannon.js';
import type { LoadGenerator } from './load.js';
import { wrkLoad } from './wrk.js';

/** wrk where it is installed, or the one named. */
export function chooseLoad(name?: string): LoadGenerator {
  if (name === 'autocannon') return autocannonLoad;
  const wrk = wrkLoad();
  if (name === 'wrk' && !wrk) throw new Error('wrk is not installed');
  return wrk ?? autocannonLoad;
}
