/** How long the calls of one operation took. Times never make a replay fail. */
export interface ComparedTime {
  readonly name: string;
  readonly calls: number;
  /** The median in milliseconds, inside the server that was recorded. */
  readonly recordedMs: number;
  /** The median in milliseconds, as the client of the replay saw it: with the way there and back. */
  readonly replayedMs: number;
  /** How many times the recorded time it took. */
  readonly ratio: number;
  /** Too few calls, or too small a difference, to say anything. */
  readonly isNoise: boolean;
}

const FEWEST = 5;
const LEAST_MS = 5;

/** Recorded times are whole milliseconds. */
const CLOCK_MS = 1;

/** The times of operations, by their names, the slowest in comparison first. */
export class Times {
  readonly #all = new Map<string, { recorded: number[]; replayed: number[] }>();

  add(name: string, recorded: number, replayed: number): void {
    const known = this.#all.get(name) ?? { recorded: [], replayed: [] };
    known.recorded.push(recorded);
    known.replayed.push(replayed);
    this.#all.set(name, known);
  }

  compared(): ComparedTime[] {
    return [...this.#all]
      .map(([name, { recorded, replayed }]) => compare(name, recorded, replayed))
      .sort((a, b) => b.ratio - a.ratio);
  }
}

function compare(name: string, recorded: readonly number[], replayed: readonly number[]): ComparedTime {
  const [was, is] = [median(recorded), median(replayed)];
  const ratio = Math.max(is, CLOCK_MS) / Math.max(was, CLOCK_MS);
  const isSmall = was < CLOCK_MS || Math.abs(is - was) < LEAST_MS || (ratio > 0.5 && ratio < 2);
  return {
    name,
    calls: recorded.length,
    recordedMs: was,
    replayedMs: rounded(is),
    ratio: rounded(ratio),
    isNoise: recorded.length < FEWEST || isSmall,
  };
}

function median(values: readonly number[]): number {
  const sorted = [...values].sort((a, b) => a - b);
  return sorted[Math.floor((sorted.length - 1) / 2)]!;
}

const rounded = (value: number) => Math.round(value * 100) / 100;
