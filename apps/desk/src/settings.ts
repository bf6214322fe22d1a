import { join, resolve } from 'node:path';

/** What the environment decides. */
export interface Settings {
  /** TCP port of the desk; 0 takes a free one. */
  readonly port: number;
  /** TCP port of the issuer; 0 takes a free one. */
  readonly issuerPort: number;
  /** Where Prometheus finds the figures; `undefined`: nothing is measured. */
  readonly metricsPort: number | undefined;
  /** How many processes serve, with a PostgreSQL server. `undefined`: this one, with an embedded database. */
  readonly replicas: number | undefined;
  /** Folder of the audit log. */
  readonly dataFolder: string;
  /** The webhook of a chat that gets what waits for an approval. */
  readonly chat: string | undefined;
}

/** Thrown for a setting that cannot be used; the message names it and says what is expected. */
export class SettingsError extends Error {
  override readonly name = 'SettingsError';
}

/** @throws {SettingsError} */
export function readSettings(environment: NodeJS.ProcessEnv): Settings {
  const { PORT, ISSUER_PORT, METRICS_PORT, DESK_REPLICAS, DESK_DATA, DESK_CHAT } = environment;
  return {
    port: readNumber('PORT', PORT, 0, 65_535) ?? 3000,
    issuerPort: readNumber('ISSUER_PORT', ISSUER_PORT, 0, 65_535) ?? 0,
    metricsPort: readNumber('METRICS_PORT', METRICS_PORT, 1, 65_535),
    replicas: readNumber('DESK_REPLICAS', DESK_REPLICAS, 1, 16),
    dataFolder: resolve(DESK_DATA || join(__dirname, '..', '.data')),
    chat: DESK_CHAT || undefined,
  };
}

function readNumber(name: string, text: string | undefined, least: number, most: number): number | undefined {
  if (text === undefined || text === '') return undefined;
  const value = /^\d{1,5}$/.test(text) ? Number(text) : NaN;
  if (value >= least && value <= most) return value;
  throw new SettingsError(`${name}: expected a number from ${least} to ${most}, received "${text}".`);
}
