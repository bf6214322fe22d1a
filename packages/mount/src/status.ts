import type { MountStatus } from '@toolwright/json';

const KEPT = 256;

/** Counts calls, and keeps how long the last ones took. */
export class CallFigures {
  #calls = 0;
  #failures = 0;
  readonly #times: number[] = [];

  add(ms: number, hasFailed: boolean): void {
    this.#times[this.#calls++ % KEPT] = ms;
    if (hasFailed) this.#failures++;
  }

  read(): Pick<MountStatus, 'calls' | 'failures' | 'latency'> {
    const sorted = [...this.#times].sort((one, other) => one - other);
    const at = (part: number) => sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * part))]!;
    const latency = sorted.length === 0 ? undefined : { p50: at(0.5), p99: at(0.99) };
    return { calls: this.#calls, failures: this.#failures, latency };
  }
}
