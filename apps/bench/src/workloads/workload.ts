import type { Contestant } from '../contestants/catalogue.js';
import type { Dialect } from '../contestants/settings.js';
import type { LoadGenerator } from '../load/load.js';
import type { Place } from '../processes/contestant-server.js';

/** How a run is made; the same for all its workloads. */
export interface Run {
  place: Place;
  load: LoadGenerator;
  /** Rounds before the counted ones, so that code is compiled and caches are full. */
  warmUps: number;
  rounds: number;
  seconds: number;
  /** How many sessions, and how many streams, the memory workloads open. */
  sessions: number;
  streams: number;
  /** Folder of the sources generated for so many tools. */
  generated(tools: number): string;
  log(line: string): void;
}

/** One figure of a sample. */
export interface Metric {
  name: string;
  unit: string;
  better: 'higher' | 'lower';
}

export type Sample = Record<string, number>;

/** A contestant that has been admitted to a workload: it answered rightly and is ready for its turns. */
export interface Entrant {
  sample(): Promise<Sample>;
  stop(): Promise<void>;
}

/** Something to measure. */
export interface Workload {
  name: string;
  title: string;
  /** The first ranks the contestants. */
  metrics: [Metric, ...Metric[]];
  /** The contestant that ratios are relative to. */
  baseline: string;
  /** What contestants are called, where it is not their title. */
  titleOf?(contestant: Contestant): string;
  /** The dialect in which a contestant takes part, or undefined when it cannot. */
  dialectOf(contestant: Contestant): Dialect | undefined;
  /** In place of those of the run, where more change nothing. */
  warmUps?: number;
  /** Rounds at most, where a sample is expensive and hardly varies. */
  roundsAtMost?: number;
  /** How long a turn takes on an idle machine, where that is not the length of its load. */
  secondsOf?(seconds: number): number;
  enter(contestant: Contestant, dialect: Dialect, run: Run): Promise<Entrant>;
}

/** What one contestant did in one workload on one Node.js. */
export interface Measurement {
  workload: string;
  contestant: string;
  dialect: Dialect;
  node: string;
  samples: Sample[];
  /** Why it is not ranked. */
  problem?: string;
}

/** Prefers dialects in an order: a contestant takes part in the first of them that it speaks. */
export function firstSpoken(preferred: Dialect[]) {
  return (contestant: Contestant) => preferred.find((dialect) => contestant.dialects.includes(dialect));
}
