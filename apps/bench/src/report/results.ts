import type { Measurement } from '../workloads/workload.js';
import { ratiosOf, summarize, type Summary } from './statistics.js';

/** Everything a run found, and where: the JSON file. */
export interface Results {
  /** ISO 8601. */
  date: string;
  machine: {
    processor: string;
    cores: number;
    platform: string;
    pinned: boolean;
    /** What was measured, if it is known; with `+` if files were changed since. */
    commit?: string;
    /** Of one minute, before the run and after it. The run itself adds about 2. */
    load?: [before: number, after: number];
  };
  load: string;
  rounds: number;
  seconds: number;
  /** Versions of Node.js, in the order of the columns. */
  nodes: string[];
  /** Of the packages compared. */
  versions: Record<string, string>;
  /** What `pnpm run many` has found, if it was published. */
  large?: LargeResults;
  /** What `pnpm run callers` has found, if it was published. */
  callers?: CallersResults;
  /** What `pnpm run workers` has found, if it was published. */
  workers?: WorkersResults;
  /** What `pnpm run peers` has found, if it was published. */
  peers?: PeersResults;
  /** What `pnpm run programs` has found, if it was published. */
  programs?: ProgramsResults;
  /** What `pnpm run memory` has found, if it was published. */
  memory?: MemoryResults;
  measurements: Measurement[];
}

/** What large servers cost: the figures are CPU time and memory. */
export interface LargeResults extends RunConditions {
  readonly rows: readonly LargeFigures[];
}

/** One row on one Node.js. */
export interface LargeFigures {
  readonly row: string;
  readonly title: string;
  readonly unit: string;
  readonly node: string;
  /** The sizes. */
  readonly tools: readonly number[];
  /** For each size, the whole cost in each round. */
  readonly samples: readonly (readonly number[])[];
  /** How many times as much a tool costs in the largest server as in the smallest one: 1 grows as its work. */
  readonly growth: number;
}

/** What programs of code mode cost. */
export interface ProgramsResults {
  /** ISO 8601. */
  readonly date: string;
  readonly processor: string;
  /** Of one minute, before and after. */
  readonly load: readonly [before: number, after: number];
  readonly rows: readonly {
    readonly row: string;
    readonly title: string;
    readonly unit: string;
    readonly node: string;
    readonly samples: readonly number[];
    /** What it may be at most. */
    readonly target?: number;
  }[];
}

/** What servers keep in memory. */
export interface MemoryResults extends RunConditions {
  /** Of the load, for each server. */
  readonly minutes: number;
  readonly rows: readonly MemoryRow[];
}

/** One server on one Node.js, in bytes. */
export interface MemoryRow {
  readonly title: string;
  readonly node: string;
  /** After the first answer, in each round. */
  readonly idle: readonly { readonly heap: number; readonly rss: number }[];
  /** Heap of a call that waits for another service, in each round; undefined where the server has no such tool. */
  readonly inFlight?: readonly number[];
  /** After each tenth of the load. */
  readonly load: readonly { readonly heap: number; readonly rss: number }[];
  /** Calls of the load. */
  readonly calls: number;
  /** What was resident after a load, without the pages of files, where V8 may keep little; undefined where it is not known. */
  readonly small?: number;
}

/** When and how a program of its own was run. */
export interface RunConditions {
  /** ISO 8601. */
  readonly date: string;
  readonly processor?: string;
  /** What was measured, if it is known; with `+` if files were changed since. */
  readonly commit?: string;
  /** Of one minute, before and after. */
  readonly load: readonly [before: number, after: number];
  /** The run went before all other work of the machine. */
  readonly realTime: boolean;
  readonly rounds: number;
}

/** What many callers cost one server. */
export interface CallersResults extends RunConditions {
  readonly rows: readonly CallersRow[];
}

/** One kind of what callers keep at a server, on one Node.js. */
export interface CallersRow {
  readonly kind: string;
  readonly title: string;
  readonly count: number;
  readonly node: string;
  /** Bytes for each. */
  readonly heap: number;
  readonly resident: number;
  /** Calls of the server that holds them, and of one that holds nothing, in the same rounds. */
  readonly holding: readonly CallRound[];
  readonly empty: readonly CallRound[];
  /** What it costs to tell each of a change, and how long it takes until each has heard. */
  readonly changes?: readonly CallRound[];
}

/** A round: microseconds of CPU of the server for each, and the 99th percentile in milliseconds. */
export interface CallRound {
  readonly cpu: number;
  readonly p99: number;
}

/** What a call costs servers of several processes. */
export interface WorkersResults extends RunConditions {
  readonly cores: number;
  readonly rows: readonly SubjectRow[];
}

/** One of several servers that took turns. */
export interface SubjectRow {
  readonly name: string;
  /** The one that it is compared with. */
  readonly base: string;
  readonly node: string;
  /** For each round: microseconds of CPU of a call, of all processes together, and calls per second. */
  readonly figures: { readonly cpu: number; readonly rate: number }[];
}

/** Other frameworks: what they install, how they start, what a call costs. */
export interface PeersResults extends RunConditions {
  readonly rows: readonly PeerRow[];
}

/** One server. */
export interface PeerRow {
  readonly contestant: string;
  readonly title: string;
  /** The packages that a user installs, with their versions. */
  readonly installs: readonly string[];
  readonly packages: number;
  readonly bytes: number;
  readonly nodes: readonly PeerFigures[];
}

/** What a server did on one Node.js, for each round. */
export interface PeerFigures {
  readonly node: string;
  readonly dialect: string;
  /** Milliseconds of CPU from the start of the process to the first right answer. */
  readonly start: readonly number[];
  /** Microseconds of CPU of a call. */
  readonly cpu: readonly number[];
  /** Calls per second. */
  readonly rate: readonly number[];
  /** Why there are no figures. */
  readonly problem?: string;
}

/** Finds figures in results. */
export class Figures {
  constructor(private readonly results: Results) {}

  measurement(workload: string, contestant: string, node: string): Measurement | undefined {
    return this.results.measurements.find(
      (one) => one.workload === workload && one.contestant === contestant && one.node === node,
    );
  }

  /** Undefined when it was not measured, or not without a problem. */
  values(workload: string, contestant: string, node: string, metric: string): number[] | undefined {
    const found = this.measurement(workload, contestant, node);
    if (!found || found.problem || found.samples.length === 0) return undefined;
    return found.samples.map((sample) => sample[metric] ?? NaN);
  }

  summary(workload: string, contestant: string, node: string, metric: string): Summary | undefined {
    const values = this.values(workload, contestant, node, metric);
    return values && summarize(values);
  }

  /** How many times the baseline's figure a contestant's is. The rounds of several workloads are pooled. */
  ratio(
    workload: string | readonly string[],
    [contestant, baseline]: [string, string],
    node: string,
    metric: string,
  ): Summary | undefined {
    const names = typeof workload === 'string' ? [workload] : workload;
    const ratios = names.flatMap((name) => {
      const values = this.values(name, contestant, node, metric);
      const base = this.values(name, baseline, node, metric);
      return values && base ? ratiosOf(values, base) : [];
    });
    return ratios.length > 0 ? summarize(ratios) : undefined;
  }
}
