import { BUDGET } from '../budget.js';
import type { Clock } from '@toolwright/core/ports';
import { MountError } from '../errors.js';
import type { Parking, UpstreamRun } from './upstream-run.js';

const LIFE_MS = BUDGET.parkedMs;
const MOST = BUDGET.parked;

/** Runs that wait for their client, by the id that the client's sealed state has. */
export class ParkedRuns implements Parking {
  readonly #runs = new Map<string, { readonly run: UpstreamRun; readonly stop: () => void }>();

  constructor(private readonly clock: Clock) {}

  get size(): number {
    return this.#runs.size;
  }

  add(id: string, run: UpstreamRun): void {
    const oldest = this.#runs.size >= MOST ? this.#runs.keys().next().value : undefined;
    if (oldest !== undefined) this.#giveUp(oldest);
    this.#runs.set(id, { run, stop: this.clock.after(LIFE_MS, () => this.#giveUp(id)) });
  }

  /**
   * The run with this id, for the caller that began it.
   *
   * @throws {MountError} when it is not here
   */
  take(id: string, isCaller: (run: UpstreamRun) => boolean): UpstreamRun {
    const parked = this.#runs.get(id);
    if (!parked || !isCaller(parked.run)) throw gone();
    this.#runs.delete(id);
    parked.stop();
    return parked.run;
  }

  close(): void {
    for (const id of [...this.#runs.keys()]) this.#giveUp(id);
  }

  #giveUp(id: string): void {
    const parked = this.#runs.get(id);
    if (!parked) return;
    this.#runs.delete(id);
    parked.stop();
    parked.run.cancel(gone());
  }
}

function gone(): MountError {
  return new MountError(
    'TW_MOUNT_PARKED',
    'The server behind this tool waits for this answer no longer. Call the tool again from the start.',
  );
}
