import { isObject, ONLY_INSPECTED, readText } from '@toolwright/json';
import { existsSync, renameSync, writeFileSync } from 'node:fs';
import { ConfigurationError } from '@toolwright/core';
import { visibleJson } from './hidden-text.js';

export type UpstreamDefinition = Readonly<Record<string, unknown>>;

/** What was accepted of a server behind: its tools and prompts, by name. */
export interface Accepted {
  readonly tools: ReadonlyMap<string, UpstreamDefinition>;
  readonly prompts: ReadonlyMap<string, UpstreamDefinition>;
}

/** `toolwright diff` reads the file, too. It has the number. */
const FORMAT = 1;

/**
 * The part of a contract lock that has what was accepted of one server behind: `upstreams`, by the name of its mount. All
 * other parts of the file stay as they are.
 */
export class MountLock {
  /** What the file said when it was read last. */
  #known: string | undefined;

  constructor(
    private readonly mount: string,
    private readonly file: string,
  ) {}

  /**
   * @returns `undefined` when the file says nothing of this mount, or nothing else than when it was read last
   * @throws {ConfigurationError} when the file is not a lock: what somebody has accepted must not be lost unnoticed
   */
  read(): Accepted | undefined {
    const { upstreams } = this.#parse();
    const mine = isObject(upstreams) ? upstreams[this.mount] : undefined;
    const text = JSON.stringify(mine);
    if (!isObject(mine) || text === this.#known) return undefined;
    this.#known = text;
    return { tools: definitionsOf(mine['tools']), prompts: definitionsOf(mine['prompts']) };
  }

  /** Other mounts may have written since, so the file is read again. */
  write({ tools, prompts }: Accepted): void {
    if (ONLY_INSPECTED in globalThis) return;
    const { upstreams, ...rest } = this.#parse();
    const all = {
      ...(isObject(upstreams) ? upstreams : {}),
      [this.mount]: { tools: sorted(tools), prompts: sorted(prompts) },
    };
    const lock = { format: FORMAT, ...rest, upstreams: sorted(new Map(Object.entries(all))) };
    const next = `${this.file}.${process.pid}.new`;
    writeFileSync(next, `${visibleJson(lock)}\n`);
    renameSync(next, this.file);
  }

  #parse(): Record<string, unknown> {
    if (!existsSync(this.file)) return {};
    let lock: unknown;
    try {
      lock = JSON.parse(readText(this.file));
    } catch {
      // It is reported below.
    }
    if (isObject(lock) && lock['format'] === FORMAT) return lock;
    throw new ConfigurationError({
      code: 'TW_MOUNT_INVALID',
      message: `mountServer("${this.mount}"): the lock ${this.file} is not a lock of this version.`,
      fix: 'Restore it from your repository. Or delete it, and what the servers offer then is accepted anew.',
    });
  }
}

function definitionsOf(value: unknown): Map<string, UpstreamDefinition> {
  const entries = Object.entries(isObject(value) ? value : {});
  return new Map(entries.filter((entry): entry is [string, UpstreamDefinition] => isObject(entry[1])));
}

function sorted(all: ReadonlyMap<string, unknown>): Record<string, unknown> {
  return Object.fromEntries([...all].sort(([one], [other]) => (one < other ? -1 : 1)));
}
