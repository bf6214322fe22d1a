import { byClock } from './clock.js';
import { byFiles } from './files.js';
import { byLists } from './lists.js';
import { byMounts } from './mounted.js';
import { byName } from './by-name.js';
import { byPrograms } from './programs.js';
import { byReading } from './reads.js';
import { byRests } from './rests.js';
import { byRounds } from './rounds.js';
import { bySearch } from './search.js';
import { byTasks } from './tasks.js';
import type { Way } from '../world.js';

/** The columns of the table: every way to an operation. */
export const ways: readonly Way[] = [
  ...byName,
  ...bySearch,
  ...byLists,
  ...byReading,
  ...byRests,
  ...byTasks,
  ...byRounds,
  ...byMounts,
  ...byFiles,
  ...byClock,
  ...byPrograms,
];
