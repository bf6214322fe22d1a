import { JsonRpcCode, ProtocolError } from '@toolwright/ground/base/errors/errors';
import type { RequestContext } from '@toolwright/ground/base/request-context';
import { addressOf } from '@toolwright/ground/call/operation/keys';
import type { BoundOperation, BoundTool } from '@toolwright/ground/call/operation/operation';
import type { AudienceAnswers, Catalogue, Registry } from '@toolwright/ground/call/operation/registry';
import { getOrMake, oncePer, type MaybePromise, after, digest } from '@toolwright/json';
import type { JsonObject } from '@toolwright/wire/json-rpc';
import type { Codec } from '@toolwright/wire/revision-record';
import type { ListView, ToolWords } from '../protocol-additions.js';
import type { Additions } from '../additions.js';
import type { ProtocolHost } from '../engine.js';

/** A kind of definition that can be listed. */
export interface Listing<O extends BoundOperation> {
  /** The name of the list in the result. */
  key: string;
  catalogue(registry: Registry): Catalogue<O>;
  describe(operation: O, codec: Codec): JsonObject;
}

interface Visible<O> {
  operations: readonly O[];
  /** Its pages are kept under it. */
  id: number;
}

/** The key of the complete list, where all callers see the same one. */
const ALL = 'all';

/** How many different sets of visible operations are kept of a list. */
const MAX_SETS = 256;

/**
 * The pages of lists. Each page is written once, because a list changes rarely and is asked for often. Only pages
 * that the server has divided the list into are kept: a cursor may name any operation, so a caller can ask for a page that
 * begins anywhere.
 */
export class ListPages {
  readonly #setsOf = oncePer((_: readonly BoundOperation[]) => {
    // A list has changed, so nobody asks for its former pages any more.
    this.#pages = new KeptPages();
    return new Map<string, Visible<BoundOperation>>();
  });
  #pages = new KeptPages();
  #ids = 0;

  constructor(
    readonly registry: Registry,
    readonly additions: Additions,
    private readonly settings: { readonly pageSize: number; readonly ttl: number },
  ) {}

  page<O extends BoundOperation>(
    listing: Listing<O>,
    codec: Codec,
    request: PageRequest,
  ): MaybePromise<string> {
    const all = listing.catalogue(this.registry).list();
    return after(
      () => this.additions.prepare(all, request.request),
      () => this.#page(listing, codec, request),
    );
  }

  #page<O extends BoundOperation>(listing: Listing<O>, codec: Codec, request: PageRequest): string {
    const visible = this.#visible(listing, request.request);
    const start = request.cursor === undefined ? 0 : this.#position(listing, visible, request.cursor);
    const words = this.additions.describes(listing.key) ? this.#wordsFor(visible, request) : undefined;
    const at = `${visible.id} ${codec.revision} ${start}${words ? ` ${digest([...words])}` : ''}`;
    const kept = this.#pages.get(at);
    if (kept !== undefined) return kept;
    const described: Listing<O> = words
      ? { ...listing, describe: (each, of) => listing.describe({ ...each, ...words.get(each.name) }, of) }
      : listing;
    const text = this.#write(described, codec, visible.operations, start);
    if (start % this.settings.pageSize === 0) this.#pages.keep(at, text);
    return text;
  }

  /** The texts that packages add for this caller to the tools of a list, by the name of the tool. */
  #wordsFor(
    { operations }: Visible<BoundOperation>,
    { request }: PageRequest,
  ): ReadonlyMap<string, ToolWords> {
    const { additions, registry } = this;
    const names = additions.described(operations.map(({ name }) => name));
    const seen = names.length > 0 ? visibleTools(registry, request) : [];
    return new Map(names.map((name) => [name, additions.wordsOf(name, seen, request)!]));
  }

  #write<O extends BoundOperation>(
    listing: Listing<O>,
    codec: Codec,
    operations: readonly O[],
    start: number,
  ): string {
    const page = operations.slice(start, start + this.settings.pageSize);
    const last = page.at(-1);
    const more = start + page.length < operations.length;
    const body = {
      [listing.key]: page.map((operation) => listing.describe(operation, codec)),
      nextCursor: more && last ? makeCursor(listing.key, addressOf(last)) : undefined,
    };
    return codec.result(body, {
      ttlMs: this.settings.ttl,
      cacheScope: isPerCaller(listing.key, this) ? 'private' : 'public',
    });
  }

  #position<O extends BoundOperation>(listing: Listing<O>, visible: Visible<O>, cursor: unknown): number {
    const last = readCursor(listing.key, cursor);
    const index = visible.operations.findLastIndex((operation) => addressOf(operation) === last);
    if (index < 0) throw invalidCursor();
    return index + 1;
  }

  #visible<O extends BoundOperation>(listing: Listing<O>, request: RequestContext): Visible<O> {
    const all = listing.catalogue(this.registry).list();
    // Operations are identified by their positions in this array; names are not unique.
    const { registry, additions } = this;
    const shown = shownPositions(all, listing.key, { registry, additions, request });
    const sets = this.#setsOf(all);
    return getOrMake(sets, shown ? `only ${shown.join()}` : ALL, () => {
      if (sets.size >= MAX_SETS) sets.clear();
      return { operations: shown ? shown.map((index) => all[index]!) : all, id: this.#ids++ };
    }) as Visible<O>;
  }
}

/** What the pages of all lists may take, in bytes. Lists are far smaller, unless many callers see different ones. */
const MAX_BYTES = 32 * 1024 * 1024;

/** Pages as they were written. Over the limit, the oldest pages are forgotten, and written again when they are needed. */
export class KeptPages {
  readonly #texts = new Map<string, string>();
  #bytes = 0;

  get(at: string): string | undefined {
    return this.#texts.get(at);
  }

  keep(at: string, text: string): void {
    this.#texts.set(at, text);
    this.#bytes += bytesOf(text);
    for (const [first, written] of this.#texts) {
      if (this.#bytes <= MAX_BYTES) return;
      this.#texts.delete(first);
      this.#bytes -= bytesOf(written);
    }
  }
}

/** A character that is not Latin makes a text take two bytes for each. */
const bytesOf = (text: string): number => text.length * 2;

/** What decides about lists in one server. */
type Deciding = Pick<ProtocolHost, 'registry' | 'additions'>;

/** The positions of what the caller is shown; `undefined` for everything. */
function shownPositions<O extends BoundOperation>(
  all: readonly O[],
  key: string,
  { registry, additions, request }: Deciding & { readonly request: RequestContext },
): readonly number[] | undefined {
  const isReplaced = additions.replaces(key);
  if (!registry.perCaller && !isReplaced) return undefined;
  const answers: AudienceAnswers = new Map();
  const listed = [...all.keys()].filter((index) => registry.listed(all[index]!, request.principal, answers));
  const visible = withoutDoubles(listed, all);
  if (!isReplaced) return visible;
  const positions = new Map(all.map((operation, index) => [operation, index]));
  const operations = visible.map((index) => all[index]!);
  return additions
    .shown(key, operations, { registry, request, answers })
    .flatMap((operation) => positions.get(operation) ?? []);
}

/** What the list of one kind shows, for methods of packages that show the same operations in another form. */
export function listingsOf({ registry, additions }: Deciding): ListView {
  return {
    shown: (collection, request, among) => {
      const all: readonly BoundOperation[] = among ?? registry[collection].list();
      return after(
        () => additions.prepare(all, request),
        () => {
          const shown = shownPositions(all, collection, { registry, additions, request });
          return (shown ? shown.map((index) => all[index]!) : all) as never;
        },
      );
    },
    published(tool, request) {
      const codec = additions.codecs.get(request.revision)!;
      if (additions.described([tool.name]).length === 0) return codec.tool(tool);
      const words = additions.wordsOf(tool.name, visibleTools(registry, request), request);
      return codec.tool({ ...tool, ...words });
    },
    isPerCaller: (collection) => isPerCaller(collection, { registry, additions }),
  };
}

/** True when callers may see different lists. No cache may then share one. */
function isPerCaller(collection: string, { registry, additions }: Deciding): boolean {
  return registry.perCaller || additions.replaces(collection) || additions.describes(collection);
}

/**
 * The tools that a caller may see, with older versions, which it may call. A tool that it lacks scopes for is one if lists show
 * it as locked.
 */
function visibleTools(registry: Registry, { principal }: RequestContext): readonly BoundTool[] {
  const all = registry.tools.everything();
  const listed = [...all.keys()].filter((index) => registry.listed(all[index]!, principal));
  return withoutDoubles(listed, all).map((index) => all[index]!);
}

/** Two operations with one name that are for one caller are a mistake. A call of either is refused, so none is shown. */
function withoutDoubles(listed: readonly number[], all: readonly BoundOperation[]): readonly number[] {
  if (!listed.some((index) => all[index]!.audience)) return listed;
  const counts = new Map<string, number>();
  for (const index of listed)
    counts.set(addressOf(all[index]!), (counts.get(addressOf(all[index]!)) ?? 0) + 1);
  return listed.filter((index) => counts.get(addressOf(all[index]!)) === 1);
}

interface PageRequest {
  request: RequestContext;
  cursor: unknown;
}

/** The longest content of a cursor is a URI. */
const MAX_LENGTH = 12_000;

/** A cursor names the last definition of a page, so it stays valid while other definitions come and go. */
function makeCursor(list: string, last: string): string {
  return Buffer.from(JSON.stringify([list, last])).toString('base64url');
}

/**
 * The name in a cursor. It is not trusted: the caller of this function looks it up only among what the client
 * may see.
 *
 * @throws {ProtocolError} -32602 for anything that no page of `list` returned
 */
function readCursor(list: string, cursor: unknown): string {
  if (typeof cursor === 'string' && cursor.length <= MAX_LENGTH) {
    try {
      const value: unknown = JSON.parse(Buffer.from(cursor, 'base64url').toString());
      if (Array.isArray(value) && value[0] === list && typeof value[1] === 'string') {
        if (makeCursor(list, value[1]) === cursor) return value[1];
      }
    } catch {
      // This cursor is not one of ours.
    }
  }
  throw invalidCursor();
}

export function invalidCursor(): ProtocolError {
  return new ProtocolError(JsonRpcCode.invalidParams, 'Invalid cursor. Start again without one.');
}
