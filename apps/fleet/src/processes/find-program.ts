import { existsSync, readdirSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { MissingProgramError } from './missing-program-error.js';
import { findNewerNode } from './newer-node.js';

/** What Debian's Node.js may be too old for. */
const NODE = 'Node.js 22.12';

/** The programs that the fleet starts, and the Debian packages that they are in. */
const packages = {
  'redis-server': 'redis-server',
  haproxy: 'haproxy',
  initdb: 'postgresql',
  postgres: 'postgresql',
} as const;

export type Program = keyof typeof packages;
/** What the fleet may lack. */
type Missing = Program | typeof NODE;

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
export function missingPrograms(): Missing[] {
  const missing: Missing[] = programs.filter((program) => findProgram(program) === undefined);
  return findNewerNode() === undefined ? [...missing, NODE] : missing;
}

/**
 * The Node.js that the processes of the fleet run on: the queue of tasks needs 22.12.
 *
 * @throws {MissingProgramError}
 */
export function requireNewerNode(): string {
  const node = findNewerNode();
  if (node === undefined) throw new MissingProgramError(missingText([NODE]));
  return node;
}

/** @throws {MissingProgramError} that names everything that is not installed */
export function requirePrograms(): void {
  const missing = missingPrograms();
  if (missing.length > 0) throw new MissingProgramError(missingText(missing));
}

/** What a person can do about missing programs. */
export function missingText(missing: readonly Missing[]): string {
  const known = missing.filter((program) => program !== NODE);
  const names = [...new Set(known.map((program) => packages[program]))].join(' ');
  const advice = [
    known.length > 0 && `On Debian and Ubuntu: apt-get install ${names}`,
    missing.includes(NODE) && 'Node.js: install 22.12 or newer from nodejs.org',
  ];
  return `Not installed: ${missing.join(', ')}. ${advice.filter(Boolean).join('. ')}`;
}

/** Debian keeps HAProxy out of the PATH of ordinary users, and the programs of PostgreSQL in a folder per version. */
function folders(): string[] {
  const postgres = '/usr/lib/postgresql';
  const versions = existsSync(postgres)
    ? readdirSync(postgres).map((version) => join(postgres, version, 'bin'))
    : [];
  return [...versions, ...(process.env.PATH ?? '').split(delimiter), '/usr/sbin', '/usr/local/sbin'];
}
