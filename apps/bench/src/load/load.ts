import type { WireRequest } from '../protocol/request.js';

/** Closed-loop load: each connection sends its next request when it has the answer to the last. */
export interface Load {
  port: number;
  seconds: number;
  connections: number;
  /**
   * Taken in turn, each with its own id. At least one per connection; several, where the generator does not bind
   * requests to connections, make it unlikely that one id is in flight twice.
   */
  requests: WireRequest[];
}

/** What a run of load saw. */
export interface LoadResult {
  answers: number;
  seconds: number;
  /** Received, headers included. */
  bytes: number;
  /** Answers other than 200, broken connections and timeouts. */
  failures: number;
  /** Latency in milliseconds. */
  p50: number;
  p99: number;
}

/** A program or library that makes load. */
export interface LoadGenerator {
  /** Name and version, for the report. */
  name: string;
  run(load: Load): Promise<LoadResult>;
}
