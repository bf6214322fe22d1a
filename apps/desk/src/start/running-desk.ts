/** A desk that runs. */
export interface RunningDesk {
  /** The endpoint. */
  readonly url: string;
  readonly issuer: string;
  /** Finishes what runs, and ends everything. */
  stop(): Promise<void>;
}
