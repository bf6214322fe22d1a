import { ConfigurationError, type ConfigurationProblem, type McpServer } from '@toolwright/core';
import { getOrMake, type LeftOut, type ListKind } from '@toolwright/json';
import { shownName } from '../shown-name.js';
import { BUDGET } from '../budget.js';
import type { MountSettings } from '../options.js';
import type { UpstreamCatalogue } from '../read-catalogue.js';
import { ourName } from './definitions.js';
import type { PublishedMount } from './published-mount.js';
import { Turns } from '../turns.js';
import { AddressSet } from './shared-addresses.js';
import {
  type CatalogueOffer,
  type Collection,
  type WantedOperation,
  type WantedOperations,
  wantedOperations,
} from './wanted-operations.js';

/** What became of a catalogue. */
export interface Shown {
  readonly operations: number;
  readonly left: readonly LeftOut[];
}

/** The part of a collection of the server that is used here, whatever its kind. */
interface AnyCollection {
  replace(
    removed: readonly string[],
    definitions: readonly object[],
    refused: (index: number, problems: readonly ConfigurationProblem[]) => void,
    sources: readonly string[],
    isLast: boolean,
  ): readonly (object | undefined)[];
}

interface Served {
  readonly text: string;
  /** Its name or its address at the server behind. */
  readonly source: string;
  /** The URIs of a resource or a template. */
  readonly addresses: AddressSet | undefined;
}

interface Added {
  readonly change: Change;
  readonly address: string;
  readonly addresses: AddressSet | undefined;
  readonly wanted: WantedOperation;
  readonly definition: object;
}

interface Change extends CatalogueOffer {
  /** Is known when it is made. */
  wanted: WantedOperations;
  readonly left: LeftOut[];
  settle(): void;
  fail(error: unknown): void;
}

/** Apps come before the tools that link to them. */
const COLLECTIONS: readonly Collection[] = ['resources', 'resourceTemplates', 'prompts', 'tools'];
const KINDS: Readonly<Record<Collection, ListKind>> = {
  resources: 'resource',
  resourceTemplates: 'resourceTemplate',
  prompts: 'prompt',
  tools: 'tool',
};

/**
 * What our server has of all its mounts. The changes of one tick are made together, so that clients hear of them once.
 */
export class CatalogueView {
  readonly #served = new Map<PublishedMount, Map<Collection, Map<string, Served>>>();
  /** Of each mount, what hears whenever our lists have changed. */
  readonly listeners = new Map<PublishedMount, () => void>();
  #queue: Change[] = [];
  #isBusy = false;
  readonly #settings = new Map<PublishedMount, MountSettings>();

  constructor(private readonly server: McpServer) {
    server.tools.findOtherwise((name) => this.#ownToolsOfPages(name));
  }

  /** Our names of tools that a page calls by their own name: a page knows no prefix, and its host passes on what the page says. */
  #ownToolsOfPages(name: string): readonly string[] {
    const found: string[] = [];
    for (const [mount, served] of this.#served) {
      const tools = served.get('tools');
      if (!tools || !(tools.has(name) || (mount.forms && hasSource(tools, name)))) continue;
      const hasPages = [...(served.get('resources')?.values() ?? [])].some(({ source }) =>
        source.startsWith('ui://'),
      );
      if (hasPages) found.push(ourName(this.#settings.get(mount)!, name));
    }
    return found;
  }

  /** The names of all tools but those of one mount: as our server has them, and as other servers behind have them. */
  toolsOfOthers(mount: PublishedMount): ReadonlySet<string> {
    const names = new Set<string>();
    for (const [other, served] of this.#served)
      if (other !== mount) for (const { source } of served.get('tools')?.values() ?? []) names.add(source);
    const { tools } = this.server;
    for (const tool of tools.list({ unlisted: true }))
      if (!isOf(mount, tools.sourceOf(tool))) names.add(tool.name);
    return names;
  }

  /** Whether a resource belongs to a mount. */
  owns(mount: PublishedMount, uri: string): boolean {
    const mine = this.#served.get(mount);
    if (mine?.get('resources')?.has(uri)) return true;
    if (mount.forms && hasSource(mine?.get('resources') ?? new Map(), uri)) return true;
    const templates = mine?.get('resourceTemplates');
    if (!templates || templates.size === 0) return false;
    const asked = new AddressSet(uri);
    return [...templates.values()].some(({ addresses }) => addresses?.meets(asked));
  }

  /** The mount that a resource belongs to. */
  ownerOf(uri: string): PublishedMount | undefined {
    for (const mount of this.#served.keys()) if (this.owns(mount, uri)) return mount;
    return undefined;
  }

  /**
   * Makes a mount's part of our lists what its server offers.
   *
   * @param isFirst names that are taken are then an error; later, they are left out
   * @throws {ConfigurationError} with each name that is taken
   */
  show(
    mount: PublishedMount,
    settings: MountSettings,
    { catalogue, isFirst }: { catalogue: UpstreamCatalogue; isFirst: boolean },
  ): Promise<Shown> {
    this.#settings.set(mount, settings);
    const left: LeftOut[] = [];
    return new Promise<Shown>((resolve, reject) => {
      if (!this.#isBusy) {
        this.#isBusy = true;
        setImmediate(() => void this.#flush());
      }
      this.#queue.push({
        mount,
        settings,
        catalogue,
        wanted: new Map(),
        left,
        fail: reject,
        settle: () => {
          const taken = left.filter(({ reason }) => reason.startsWith('TW_NAME_DUPLICATE'));
          if (isFirst && taken.length > 0) return reject(collision(mount, taken));
          const mine = [...(this.#served.get(mount)?.values() ?? [])];
          resolve({ operations: mine.reduce((sum, { size }) => sum + size, 0), left });
        },
      });
    });
  }

  async #flush(): Promise<void> {
    while (this.#queue.length > 0) {
      const queue = this.#queue;
      this.#queue = [];
      // The last word of a mount counts.
      const latest = [...new Map(queue.map((change) => [change.mount, change])).values()];
      const turns = new Turns();
      try {
        for (const change of latest) change.wanted = await wantedOperations(change, turns);
        for (const collection of COLLECTIONS) await this.#apply(collection, latest, turns);
      } catch (error) {
        // Such as wrong options of a policy. Nobody catches what is thrown here, so the process would end.
        for (const change of queue) change.fail(error);
        continue;
      }
      for (const change of queue) change.settle();
      for (const changed of this.listeners.values()) changed();
    }
    this.#isBusy = false;
  }

  async #apply(collection: Collection, changes: readonly Change[], turns: Turns): Promise<void> {
    const removed = new Set<string>();
    const offered: Added[] = [];
    for (const change of changes) {
      const served = this.#servedOf(change.mount, collection);
      const wanted = change.wanted.get(collection) ?? new Map<string, WantedOperation>();
      for (const [address, { text }] of served) {
        if (wanted.get(address)?.text === text) continue;
        removed.add(sourceOf(change.mount, address));
        served.delete(address);
      }
      for (const [address, each] of wanted) {
        if (served.has(address)) continue;
        await turns.rest();
        offered.push(addedOf(collection, { change, address, wanted: each }));
      }
    }
    const added = isReadable(collection) ? await this.#apart(collection, removed, offered, turns) : offered;
    if (removed.size === 0 && added.length === 0) return;
    // An operation in a new form is never absent: its old form goes in the same part of the change.
    const isNew = new Set(added.map(({ change, address }) => sourceOf(change.mount, address)));
    this.#replace(collection, { removed: [...removed].filter((source) => !isNew.has(source)), added: [] });
    for (const part of partsOf(added)) {
      await turns.rest();
      const sources = part.map(({ change, address }) => sourceOf(change.mount, address));
      this.#replace(collection, { removed: sources.filter((source) => removed.has(source)), added: part });
    }
    (this.server[collection] as unknown as AnyCollection).replace([], [], () => undefined, [], true);
  }

  /** One part of a change. Clients hear of it with the last one. */
  #replace(
    collection: Collection,
    { removed, added }: { removed: readonly string[]; added: readonly Added[] },
  ): void {
    const operations = this.server[collection] as unknown as AnyCollection;
    const made = operations.replace(
      removed,
      added.map(({ definition }) => definition),
      (index, problems) => {
        const { change, wanted } = added[index]!;
        const reason = problems.map(({ code, message }) => `${code}: ${message}`).join(' ');
        change.left.push({ kind: KINDS[collection], name: shownName(wanted.source), reason });
      },
      added.map(({ change, address }) => sourceOf(change.mount, address)),
      false,
    );
    added.forEach(({ change, address, addresses, wanted: { text, source } }, index) => {
      if (made[index]) this.#servedOf(change.mount, collection).set(address, { text, source, addresses });
    });
  }

  /**
   * Leaves out what means URIs of somebody else. The first template that fits a URI is asked, so a server behind could
   * read for others what was meant for them.
   */
  async #apart(
    collection: Collection,
    gone: ReadonlySet<string | undefined>,
    offered: readonly Added[],
    turns: Turns,
  ): Promise<Added[]> {
    const added: Added[] = [];
    if (offered.length === 0) return added;
    const steps = { steps: BUDGET.meetingSteps };
    const { resourceTemplates, resources } = this.server;
    const known: { source: string | undefined; addresses: AddressSet }[] = [];
    const know = async (source: string | undefined, address: string) => {
      await turns.rest();
      known.push({ source, addresses: new AddressSet(address) });
    };
    for (const each of resourceTemplates.list()) {
      const source = resourceTemplates.sourceOf(each);
      if (collection !== 'resourceTemplates' || !gone.has(source)) await know(source, each.uriTemplate);
    }
    // A resource may have a URI of its own beside others, but not in the templates of others.
    if (collection !== 'resources')
      for (const each of resources.list()) await know(resources.sourceOf(each), each.uri);
    for (const each of offered) {
      await turns.rest();
      const { change, addresses, wanted } = each;
      const other =
        known.find(
          ({ source, addresses: theirs }) => !isOf(change.mount, source) && theirs.meets(addresses!, steps),
        )?.addresses ??
        added.find((its) => its.change !== change && its.addresses!.meets(addresses!, steps))?.addresses;
      const problem =
        addresses!.problem ?? (other && `TW_NAME_DUPLICATE: It has URIs of "${shownName(other.address)}".`);
      if (problem === undefined) added.push(each);
      else change.left.push({ kind: KINDS[collection], name: shownName(wanted.source), reason: problem });
    }
    return added;
  }

  #servedOf(mount: PublishedMount, collection: Collection): Map<string, Served> {
    const mine = getOrMake(this.#served, mount, () => new Map());
    return getOrMake(mine, collection, () => new Map());
  }
}

/** The parts in which a change is made: each is short work. */
function* partsOf(added: readonly Added[]): Generator<readonly Added[]> {
  const { operations, characters } = BUDGET.changedTogether;
  let part: Added[] = [];
  let length = 0;
  for (const each of added) {
    if (part.length >= operations || length + each.wanted.weight > characters) {
      yield part;
      part = [];
      length = 0;
    }
    part.push(each);
    length += each.wanted.weight;
  }
  yield part;
}

const hasSource = (all: ReadonlyMap<string, Served>, wanted: string) =>
  [...all.values()].some(({ source }) => source === wanted);

/** By what our server knows something of a server behind, whatever an application has changed about it. */
const sourceOf = ({ name }: PublishedMount, address: string) => `${name} ${address}`;

/** Whether a source is one of a mount: no name of a mount has a space. */
const isOf = ({ name }: PublishedMount, source: string | undefined) =>
  source?.startsWith(`${name} `) === true;

const isReadable = (collection: Collection): boolean =>
  collection === 'resources' || collection === 'resourceTemplates';

function addedOf(
  collection: Collection,
  { change, address, wanted }: Pick<Added, 'change' | 'address' | 'wanted'>,
): Added {
  const addresses = isReadable(collection) ? new AddressSet(wanted.source) : undefined;
  return { change, address, addresses, wanted, definition: wanted.make() };
}

function collision(mount: PublishedMount, taken: readonly LeftOut[]): ConfigurationError {
  return new ConfigurationError(
    taken.map(({ kind, name, reason }) => ({
      code: 'TW_NAME_DUPLICATE',
      message: `The ${kind} "${name}" of the mount "${mount.name}" is there already. ${reason.replace(/^\w+: /, '')}`,
      fix: 'Give the mount a "prefix", "rename" what collides, or leave it out with "select".',
    })),
  );
}
