/** A desk that runs. */
export interface RunningDesk {
  /** The endpoint. */
  readonly url: string;
  readonly issuer: string;
  /** Resolves when a part ends that nobody has asked to stop. Its value is what the part wrote last. */
  readonly broken?: Promise<string>;
  /** Finishes what runs, and ends everything. */
  stop(): Promise<void>;
}
