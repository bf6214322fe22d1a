import type { ConsoleMethod } from '../api/console-api.js';

/** The methods that are answered in the process of the servers. */
export type InsideMethod = Exclude<
  ConsoleMethod,
  'overview' | 'calls' | 'messages' | 'spans' | 'clearRecords' | 'contract' | 'origins' | 'openSource'
>;
