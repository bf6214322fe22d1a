import { readNumber, SettingsError } from './settings.js';

/** What the environment of a replica decides. */
export interface ReplicaSettings {
  /** The name of this process, as logs, audit records and `whoami` show it. */
  instance: string;
  host: string;
  port: number;
  /** The names under which clients address the fleet. `undefined`: loopback names only. */
  allowedHosts: string[] | undefined;
  /** Where Redis is. `undefined`: this replica shares nothing. */
  redisUrl: string | undefined;
  /** After how many milliseconds the slots of a killed replica are free again. `undefined`: the default of the stores. */
  leaseMs: number | undefined;
  databaseUrl: string;
  /** The file of the audit log. `undefined`: nothing is recorded. */
  auditFile: string | undefined;
  /** What seals whatever leaves the process. */
  secrets: string[];
  /** How many tasks the process works on at a time. 0: others do the work. */
  taskConcurrency: number;
  /** Whether the fleet runs its schedule of every second, for tests. */
  beats: boolean;
  /** How many milliseconds the replica still takes requests after it has said that it stops. */
  drainDelayMs: number;
}

const TEN_MINUTES = 600_000;

/** @throws {SettingsError} */
export function readReplicaSettings(environment: NodeJS.ProcessEnv): ReplicaSettings {
  const { ALLOWED_HOSTS, AUDIT_FILE, DRAIN_DELAY_MS, HOST, LEASE_MS, PORT, REDIS_URL } = environment;
  const { TASK_CONCURRENCY } = environment;
  return {
    instance: required('INSTANCE', environment.INSTANCE || environment.HOSTNAME),
    host: HOST || '127.0.0.1',
    port: readNumber('PORT', PORT, { least: 0, most: 65_535, otherwise: 3000 }),
    allowedHosts: ALLOWED_HOSTS ? listOf(ALLOWED_HOSTS) : undefined,
    redisUrl: REDIS_URL || undefined,
    leaseMs: LEASE_MS
      ? readNumber('LEASE_MS', LEASE_MS, { least: 100, most: TEN_MINUTES, otherwise: 0 })
      : undefined,
    databaseUrl: required('DATABASE_URL', environment.DATABASE_URL),
    auditFile: AUDIT_FILE || undefined,
    secrets: listOf(required('SECRETS', environment.SECRETS || formerSecrets(environment))),
    taskConcurrency: readNumber('TASK_CONCURRENCY', TASK_CONCURRENCY, {
      least: 0,
      most: 1_000,
      otherwise: 0,
    }),
    beats: environment.BEATS === '1',
    drainDelayMs: readNumber('DRAIN_DELAY_MS', DRAIN_DELAY_MS, {
      least: 0,
      most: TEN_MINUTES,
      otherwise: 1_000,
    }),
  };
}

/** Secrets are replaced step by step: the new one is put in front, and the old one is removed a day later. */
function listOf(text: string): string[] {
  return text
    .split(',')
    .map((part) => part.trim())
    .filter((part) => part !== '');
}

/**
 * Before, each use had a variable of its own. Where these are still set, all of them can open. That of the sessions
 * seals: while a release replaces another, processes of both serve the same sessions.
 */
function formerSecrets(environment: NodeJS.ProcessEnv): string {
  const { SESSION_SECRETS, REQUEST_STATE_SECRETS, TASK_SECRETS } = environment;
  return [SESSION_SECRETS, REQUEST_STATE_SECRETS, TASK_SECRETS].filter(Boolean).join(',');
}

function required(name: string, text: string | undefined): string {
  if (!text) throw new SettingsError(`${name} is not set.`);
  return text;
}
