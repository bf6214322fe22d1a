import type { HeldChange, HeldText } from '@toolwright/json';
import type { UpstreamCatalogue } from '../read-catalogue.js';
import { Turns } from '../turns.js';
import { changedMembers, differences, digestOf, textOf } from './differences.js';
import { type Accepted, type UpstreamDefinition, MountLock } from './mount-lock.js';

type Pinned = 'tool' | 'prompt';
const PINNED: readonly Pinned[] = ['tool', 'prompt'];
type Forms = Record<Pinned, Map<string, UpstreamDefinition>>;

/** How much is remembered of names that come after the first catalogue. A server could think of new ones for ever. */
export interface PinLimits {
  readonly names: number;
  readonly bytes: number;
}

/** Why a new name is held back without a lock. */
export const TOO_MANY_NAMES = 'the server has listed more names than a mount remembers';

/**
 * The tools and prompts of a server behind as they were accepted. A server that changes one of them later gets the new form
 * to nobody: clients go on with the old one. Resources change by their nature and are not pinned.
 */
export class Pins {
  readonly #lock: MountLock | undefined;
  #accepted: Forms = { tool: new Map(), prompt: new Map() };
  #seen: Forms = { tool: new Map(), prompt: new Map() };
  #held: readonly HeldChange[] = [];
  /** With a file, what is new is held back, too. The first list ever is accepted. */
  #isFirst: Record<Pinned, boolean> = { tool: true, prompt: true };
  /** What is remembered of names that came later. */
  #later = { names: 0, bytes: 0 };

  /**
   * @param limits without a file, names beyond them are held back: none of them is forgotten, or it could come back in
   * another form
   * @param file keeps them over restarts; several mounts may share it
   * @param failed hears why the file cannot be used while the server runs. What was accepted before still counts.
   * @throws {ConfigurationError} when the file is not a lock
   */
  constructor(
    private readonly mount: string,
    private readonly limits: PinLimits,
    file: string | undefined,
    private readonly failed: (error: unknown) => void,
  ) {
    this.#lock = file === undefined ? undefined : new MountLock(mount, file);
    this.#read();
  }

  /** What is held back at this moment. */
  get held(): readonly HeldChange[] {
    return this.#held;
  }

  /** What the server offers, whether it was accepted or not. */
  get offered(): {
    readonly tools: readonly UpstreamDefinition[];
    readonly prompts: readonly UpstreamDefinition[];
  } {
    return { tools: [...this.#seen.tool.values()], prompts: [...this.#seen.prompt.values()] };
  }

  /**
   * What our clients get of a catalogue. What they do not get is in `held`.
   */
  async hold(catalogue: UpstreamCatalogue): Promise<UpstreamCatalogue> {
    // Somebody may have accepted changes with `toolwright lock`.
    this.#try(() => this.#read());
    this.#seen = { tool: byName(catalogue.tools), prompt: byName(catalogue.prompts) };
    const held: HeldChange[] = [];
    const shown = { tool: await this.#pinned('tool', held), prompt: await this.#pinned('prompt', held) };
    for (const { kind, name, reason } of catalogue.left) {
      if (kind !== 'tool' && kind !== 'prompt') continue;
      const accepted = this.#accepted[kind].get(name);
      if (!accepted || this.#seen[kind].has(name)) continue;
      held.push({ kind, name, changed: ['refused'], reason, digest: digestOf({ description: reason }) });
      shown[kind].push(accepted);
    }
    this.#held = held;
    const first = PINNED.filter((kind) => this.#isFirst[kind] && !catalogue.unread.has(kind));
    for (const kind of first) this.#isFirst[kind] = false;
    // A lock that says nothing of a list would hold back all of it after a restart.
    if (first.length > 0 && !PINNED.some((kind) => this.#isFirst[kind])) this.#try(() => this.#write());
    return { ...catalogue, tools: shown.tool, prompts: shown.prompt };
  }

  /**
   * Accepts what is held back.
   *
   * @param which only the forms with these digests; default: all
   * @returns false when there was nothing to accept
   * @throws when the lock cannot be written
   */
  accept(which?: readonly string[]): boolean {
    const wanted = this.#held.filter(({ digest }) => !which || which.includes(digest));
    for (const { kind, name } of wanted) {
      const form = this.#seen[kind as Pinned].get(name);
      if (form) this.#accepted[kind as Pinned].set(name, form);
      else this.#accepted[kind as Pinned].delete(name);
    }
    if (!which) {
      for (const kind of PINNED) this.#accepted[kind] = new Map(this.#seen[kind]);
      this.#later = { names: 0, bytes: 0 };
    }
    this.#held = this.#held.filter((each) => !wanted.includes(each));
    if (wanted.length > 0 || !which) this.#write();
    return wanted.length > 0;
  }

  /** The words of all that is held back, old and new. */
  texts(): HeldText[] {
    return this.#held.flatMap(({ kind, name, digest, reason }) => {
      const before = this.#accepted[kind as Pinned].get(name);
      const after = this.#seen[kind as Pinned].get(name);
      const of = { mount: this.mount, kind, name, digest };
      if (!after) return [{ ...of, path: 'refused', after: reason ?? '' }];
      if (!before) return [{ ...of, path: 'new', after: textOf(after['description'] ?? '') }];
      return differences(before, after).map((each) => ({ ...of, ...each }));
    });
  }

  async #pinned(kind: Pinned, held: HeldChange[]): Promise<UpstreamDefinition[]> {
    const isClosed = this.#lock !== undefined && !this.#isFirst[kind];
    const turns = new Turns();
    const shown: UpstreamDefinition[] = [];
    for (const [name, definition] of this.#seen[kind]) {
      await turns.rest();
      const accepted = this.#accepted[kind].get(name);
      if (!accepted && isClosed) {
        held.push({ kind, name, changed: ['new'], digest: digestOf(definition) });
        continue;
      }
      if (!accepted && !this.#isFirst[kind] && !this.#hasRoomFor(definition)) {
        held.push({ kind, name, changed: ['new'], reason: TOO_MANY_NAMES, digest: digestOf(definition) });
        continue;
      }
      if (!accepted) this.#accepted[kind].set(name, definition);
      const changed = accepted ? changedMembers(accepted, definition) : [];
      if (changed.length > 0) held.push({ kind, name, changed, digest: digestOf(definition) });
      shown.push(accepted ?? definition);
    }
    return shown;
  }

  /** The first catalogue is as large as the limits of its mount allow. With a file, a person accepts each name. */
  #hasRoomFor(definition: UpstreamDefinition): boolean {
    if (this.#lock) return true;
    const names = this.#later.names + 1;
    const bytes = this.#later.bytes + Buffer.byteLength(JSON.stringify(definition));
    if (names > this.limits.names || bytes > this.limits.bytes) return false;
    this.#later = { names, bytes };
    return true;
  }

  #try(use: () => void): void {
    try {
      use();
    } catch (error) {
      this.failed(error);
    }
  }

  #read(): void {
    const known = this.#lock?.read();
    if (!known) return;
    this.#accepted = { tool: new Map(known.tools), prompt: new Map(known.prompts) };
    this.#isFirst = { tool: false, prompt: false };
  }

  #write(): void {
    const accepted: Accepted = { tools: this.#accepted.tool, prompts: this.#accepted.prompt };
    this.#lock?.write(accepted);
  }
}

function byName(all: readonly UpstreamDefinition[]): Map<string, UpstreamDefinition> {
  return new Map(all.map((each) => [each['name'] as string, each]));
}
