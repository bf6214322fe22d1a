import type { Manifest } from '@toolwright/manifest';

/** Where a listener of the app is reached. */
export interface Address {
  address: string;
  family: string;
  port: number;
}

/** A service class by the compiled module that exports it. */
export interface ServicePlace {
  /** Absolute path. */
  module: string;
  export: string;
}

/** A service class, exported or not. */
export interface ServiceName {
  /** Class key in the manifest. */
  key: string;
  /** Without namespaces. */
  name: string;
  place: ServicePlace | undefined;
}

/** What `dev` tells the app's process. */
export type ToApp =
  /** Before anything else, and with every swap: what the project's signatures say. */
  | { tell: 'manifest'; directory: string; manifest: Manifest }
  /** Load these modules anew and put what they export in the place of the services that run. */
  | { tell: 'swap'; modules: string[]; services: ServicePlace[] }
  /** Which of these does no server list? */
  | { tell: 'findUnserved'; services: ServiceName[] }
  /** The answer to `listen`. */
  | { tell: 'held'; listener: number; address: Address }
  | { tell: 'refused'; listener: number; code: string; message: string };

/** What the app's process tells `dev`. */
export type FromApp =
  /** An HTTP server of the app wants to listen: `dev` does so in its place, and passes requests on. */
  | { tell: 'listen'; listener: number; port: number; host: string | undefined }
  /** It answers on a port of its own on the loopback. */
  | { tell: 'listening'; listener: number; port: number }
  | { tell: 'closed'; listener: number }
  /** A server was made. */
  | { tell: 'serving'; name: string }
  | { tell: 'swapped'; outcome: SwapOutcome }
  /** The answer to `findUnserved`; nothing is unserved where there is no server. */
  | { tell: 'unserved'; keys: string[] };

/**
 * `replaced`: new requests meet the new version. `failed`: the old version goes on, for the reason given. `impossible`:
 * something that runs cannot be replaced while it does.
 */
export type SwapOutcome =
  { is: 'replaced' } | { is: 'failed'; message: string } | { is: 'impossible'; message: string };
