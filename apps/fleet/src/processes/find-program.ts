import { existsSync, readdirSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { MissingProgramError } from './missing-program-error.js';

/** The programs that the fleet starts, and the Debian packages that they are in. */
const packages = {
  'redis-server': 'redis-server',
  haproxy: 'haproxy',
  initdb: 'postgresql',
  postgres: 'postgresql',
} as const;

export type Program = keyof typeof packages;

const programs = Object.keys(packages) as Program[];

/** The path of a program, or undefined when it is not installed. */
export function findProgram(program: Program): string | undefined {
  return folders()
    .map((folder) => join(folder, program))
    .find(existsSync);
}

/**
 * The path of a program.
 *
 * @throws {MissingProgramError}
 */
export function requireProgram(program: Program): string {
  const path = findProgram(program);
  if (path === undefined) throw new MissingProgramError(missingText([program]));
  return path;
}

/** The programs that are not installed. */
export function missingPrograms(): Program[] {
  return programs.filter((program) => findProgram(program) === undefined);
}

/** @throws {MissingProgramError} that names everything that is not installed */
export function requirePrograms(): void {
  const missing = missingPrograms();
  if (missing.length > 0) throw new MissingProgramError(missingText(missing));
}

/** What a person can do about missing programs. */
export function missingText(missing: readonly Program[]): string {
  const names = [...new Set(missing.map((program) => packages[program]))].join(' ');
  return `Not installed: ${missing.join(', ')}. On Debian and Ubuntu: apt-get install ${names}`;
}

/** Debian keeps HAProxy out of the PATH of ordinary users, and the programs of PostgreSQL in a folder per version. */
function folders(): string[] {
  const postgres = '/usr/lib/postgresql';
  const versions = existsSync(postgres)
    ? readdirSync(postgres).map((version) => join(postgres, version, 'bin'))
    : [];
  return [...versions, ...(process.env.PATH ?? '').split(delimiter), '/usr/sbin', '/usr/local/sbin'];
}
