import { readFileSync } from 'node:fs';

/** SCHED_FIFO and SCHED_RR of Linux. */
const REAL_TIME = ['1', '2'];

/** Whether this process goes before all ordinary ones, as `chrt -r 1` starts it: what it starts does so too. */
export function hasRealTimePriority(): boolean {
  try {
    const stat = readFileSync('/proc/self/stat', 'utf8');
    // After the name: the third field of the manual is the first one here, the policy is the 41st.
    return REAL_TIME.includes(stat.slice(stat.lastIndexOf(')') + 2).split(' ')[38]!);
  } catch {
    return false;
  }
}
