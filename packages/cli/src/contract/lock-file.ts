import type { JsonSchema } from '@toolwright/json';
import { existsSync, readFileSync } from 'node:fs';
import { writeAtomically } from '../changes/write-atomically.js';
import { visibleJson, usageError } from '@toolwright/operate/terminal';
import type { Parts } from './listed-parts.js';
import type { Skills } from './skills.js';

export const LOCK_FILE = 'mcp.lock.json';
const LOCK_FORMAT = 1;

interface Lock extends Parts {
  format: typeof LOCK_FORMAT;
  /** Whose lists were read. Left out: those of callers without a tenant. */
  tenant?: string;
  /** A gateway that was never locked itself has only `upstreams`. */
  tools?: Record<string, Omit<ToolContract, 'name'>>;
  /** Every version of each tool that has versions, under its own name. */
  versions?: Record<string, Omit<ToolContract, 'name'>>;
  /** The tools that only some callers see, each named with them: `export (AcmeTools)`. */
  forOthers?: Record<string, Omit<ToolContract, 'name'>>;
  /** What else the app may offer: nobody has looked at it. */
  notLookedAt?: readonly string[];
  packages?: PackageFields;
  tokens?: TokenCounts;
  skills?: Skills;
  upstreams?: Upstreams;
}

/** What the tools of a server take in the list that a model reads. */
export interface TokenCounts {
  /** The encoding that counts: the one of GPT-4o and later. Others differ by about a tenth. */
  readonly counted: 'o200k';
  readonly total: number;
  /** By the name of the tool. */
  readonly tools: Readonly<Record<string, number>>;
}

/** What packages that the project depends on have to say about its contract, by package. */
export type PackageFields = Readonly<Record<string, unknown>>;

/** What was accepted of the servers behind a server, by the names of their mounts. */
export type Upstreams = Readonly<Record<string, UpstreamContract>>;

/** The definitions of one server behind, as it lists them, by name. */
export interface UpstreamContract {
  readonly tools: Readonly<Record<string, Readonly<Record<string, unknown>>>>;
  readonly prompts: Readonly<Record<string, Readonly<Record<string, unknown>>>>;
}

/** What callers depend on. */
export interface Contract {
  /** Whose lists were read. Left out: those of callers without a tenant, or of whoever asked a running server. */
  readonly tenant?: string | undefined;
  readonly tools: readonly ToolContract[];
  readonly parts: Parts;
  /** Left out where nobody knows them: of a running server, lists show only the newest version of a tool. */
  readonly versions?: readonly ToolContract[] | undefined;
  /** Left out where nobody can know them: of a running server, and of one tenant. */
  readonly forOthers?: readonly ToolContract[] | undefined;
  /** Sentences about what nobody has looked at. */
  readonly notLookedAt?: readonly string[] | undefined;
  readonly packages?: PackageFields | undefined;
  /** What the list takes of each conversation. Locks of earlier releases do not have it. */
  readonly tokens?: TokenCounts | undefined;
  /** The tools as the list shows them, with words in place of long patterns. Default: `tools`. */
  readonly listed?: readonly ToolContract[] | undefined;
  /** Left out where nobody looked at the app itself, and where there are none. */
  readonly skills?: Skills | undefined;
  /** Left out where nobody looked at the app itself. `undefined` is a server that cannot be reached. */
  readonly upstreams?: Readonly<Record<string, UpstreamContract | undefined>> | undefined;
}

/** A contract that was locked. */
interface LockedContract extends Omit<Contract, 'tools' | 'upstreams'> {
  /** Left out if only servers behind were locked. */
  readonly tools?: readonly ToolContract[];
  readonly upstreams: Upstreams;
}

/**
 * Stores only what callers depend on, in a fixed order. So a diff of the file shows what changed, including
 * hidden characters. What is known of skills and of servers behind stays in the file where nobody looked at the app.
 *
 * @param project the folder that no link may leave
 */
export function writeLock(path: string, contract: Contract, project: string): void {
  const { tenant, tools, parts, versions, forOthers = [], notLookedAt = [] } = contract;
  const { packages, tokens, skills, upstreams } = contract;
  const before = existsSync(path) ? parseLock(path) : undefined;
  const ofVersions = versions ? byName(versions) : before?.versions;
  const accepted = acceptedOf(before?.upstreams, upstreams);
  const known = skills ?? before?.skills ?? {};
  const lock = {
    format: LOCK_FORMAT,
    ...(tenant !== undefined && { tenant }),
    ...(tokens && { tokens }),
    tools: byName(tools),
    ...(Object.keys(ofVersions ?? {}).length > 0 && { versions: ofVersions }),
    ...(forOthers.length > 0 && { forOthers: byName(forOthers) }),
    ...parts,
    ...(notLookedAt.length > 0 && { notLookedAt }),
    ...(packages && { packages }),
    ...(Object.keys(known).length > 0 && { skills: known }),
    ...(Object.keys(accepted).length > 0 && { upstreams: accepted }),
  };
  writeAtomically(path, `${visibleJson(lock)}\n`, project);
}

/** In a fixed order, so that a diff of the file shows what changed. */
function byName(tools: readonly ToolContract[]): Record<string, object> {
  const sorted = [...tools].sort((a, b) => (a.name < b.name ? -1 : 1));
  return Object.fromEntries(
    sorted.map(({ name, title, description, annotations, ...rest }) => {
      const { for: audience, scopes, deprecated, inputSchema, outputSchema } = rest;
      const whom = { for: audience, scopes, deprecated };
      return [name, { title, description, annotations, ...whom, inputSchema, outputSchema }];
    }),
  );
}

function acceptedOf(before: Upstreams = {}, offered: Contract['upstreams']): Upstreams {
  if (!offered) return before;
  const now = Object.entries(offered).map(([name, each]) => [name, each ?? before[name]] as const);
  return Object.fromEntries(
    now.filter((entry) => entry[1]).sort(([a], [b]) => (a < b ? -1 : 1)),
  ) as Upstreams;
}

/** @throws {CommandError} if the file does not exist, or is not a lock file of this version */
export function readLock(path: string): LockedContract {
  const lock = parseLock(path);
  if (lock?.format !== LOCK_FORMAT) {
    throw usageError(`${path} is not a lock of this version. Write it again with toolwright lock.`);
  }
  const [tools, versions, forOthers] = [lock.tools, lock.versions, lock.forOthers].map(
    (all) => all && Object.entries(all).map(([name, contract]) => ({ name, ...contract })),
  );
  const { prompts, resources, resourceTemplates } = lock;
  const parts = {
    ...(prompts && { prompts }),
    ...(resources && { resources }),
    ...(resourceTemplates && { resourceTemplates }),
  };
  const { tenant, packages, tokens, skills, upstreams = {} } = lock;
  return { tenant, ...(tools && { tools }), parts, versions, forOthers, packages, tokens, skills, upstreams };
}

/**
 * The lists of two tenants differ, and a change of one would hide in the other.
 *
 * @throws {CommandError} if the lock is of other callers
 */
export function requireTenant(
  { tenant: locked }: LockedContract,
  asked: string | undefined,
  file: string,
): void {
  if (locked === asked) return;
  const of = (tenant: string | undefined) =>
    tenant === undefined ? 'callers without a tenant' : `the tenant ${tenant}`;
  const own = asked === undefined ? LOCK_FILE : `mcp.${asked}.lock.json`;
  const options = asked === undefined ? '--app <file>' : `--app <file> --tenant ${asked}`;
  throw usageError(
    `${file} is the lock of ${of(locked)}, and diff was asked about ${of(asked)}. ` +
      (locked === undefined ? '' : `Add --tenant ${locked}, or name another lock. `) +
      `To write one: toolwright lock ${options} --out ${own}; then diff --lock ${own}.`,
  );
}

function parseLock(path: string): Lock | undefined {
  let text: string;
  try {
    text = readFileSync(path, 'utf8');
  } catch (error) {
    // A folder, or a file of somebody else.
    if ((error as NodeJS.ErrnoException).code !== 'ENOENT')
      throw usageError(`${path} is not a file that can be read, so it is not a lock.`);
    throw usageError(`There is no ${path}. Write it with toolwright lock, and commit it.`);
  }
  try {
    return JSON.parse(text) as Lock;
  } catch {
    return undefined;
  }
}

/** What callers of a tool depend on: what `tools/list` publishes, and what only the sources contain. */
export interface ToolContract {
  name: string;
  title?: string;
  description?: string;
  annotations?: ToolHints;
  inputSchema: JsonSchema;
  outputSchema?: JsonSchema;
  /** The words of the function that says whom it is for, of a tool for some callers. */
  for?: string;
  /** The scopes that a call needs. Unknown if the tools come from a running server. */
  scopes?: string[];
  /**
   * Whether its doc comment contains `@deprecated`, and the reason. Unknown if the tools come from a running
   * server.
   */
  deprecated?: boolean | string;
}

export interface ToolHints {
  title?: string;
  readOnlyHint?: boolean;
  destructiveHint?: boolean;
  idempotentHint?: boolean;
  openWorldHint?: boolean;
}
