import { cutText } from '@toolwright/json';
import type { MountSettings } from './options.js';
import type { UpstreamSession } from './session/upstream-session.js';

type Definition = Readonly<Record<string, unknown>>;

/** What a server behind offers, as it says it. */
export interface UpstreamCatalogue {
  readonly tools: readonly Definition[];
  readonly prompts: readonly Definition[];
  readonly resources: readonly Definition[];
  readonly resourceTemplates: readonly Definition[];
  /** What was left out, and why. */
  readonly left: readonly LeftOut[];
}

/** An operation of a server behind that our clients do not get. */
export interface LeftOut {
  readonly kind: ListKind;
  readonly name: string;
  readonly reason: string;
}

export type ListKind = 'tool' | 'prompt' | 'resource' | 'resourceTemplate';

const LISTS = [
  { kind: 'tool', key: 'tools', method: 'tools/list', capability: 'tools', address: 'name' },
  { kind: 'prompt', key: 'prompts', method: 'prompts/list', capability: 'prompts', address: 'name' },
  { kind: 'resource', key: 'resources', method: 'resources/list', capability: 'resources', address: 'uri' },
  {
    kind: 'resourceTemplate',
    key: 'resourceTemplates',
    method: 'resources/templates/list',
    capability: 'resources',
    address: 'uriTemplate',
  },
] as const;

/** How many pages of a list are read. */
const MOST_PAGES = 100;

/**
 * Reads all lists of a server behind, as far as its mount allows.
 *
 * @throws what the SDK throws when the tools cannot be listed
 */
export async function readCatalogue(
  session: UpstreamSession,
  settings: MountSettings,
): Promise<UpstreamCatalogue> {
  const offered: Record<string, unknown> = { ...session.client.getServerCapabilities() };
  const left: LeftOut[] = [];
  const read = async (list: (typeof LISTS)[number]): Promise<Definition[]> => {
    if (!offered[list.capability]) return [];
    try {
      return await readPages(session, { list, settings, left });
    } catch (error) {
      // Many servers have resources and no templates, or the other way round.
      if (list.kind === 'tool') throw error;
      if (!/not found|-32601/i.test((error as Error).message)) throw error;
      return [];
    }
  };
  const [tools, prompts, resources, resourceTemplates] = await Promise.all(LISTS.map(read));
  return {
    ...{ tools: tools!, prompts: prompts!, resources: resources!, resourceTemplates: resourceTemplates! },
    left,
  };
}

interface Reading {
  readonly list: (typeof LISTS)[number];
  readonly settings: MountSettings;
  readonly left: LeftOut[];
}

async function readPages(
  session: UpstreamSession,
  { list, settings: { limits }, left }: Reading,
): Promise<Definition[]> {
  const found = new Map<string, Definition>();
  const seen = new Set<string>();
  const signal = AbortSignal.timeout(limits.answerMs);
  let cursor: string | undefined;
  do {
    const page = await session.send(list.method, cursor === undefined ? {} : { cursor }, { signal });
    for (const definition of definitionsOf(page[list.key])) {
      const address = definition[list.address];
      const reason = findReason(definition, { address, found, limits });
      if (reason !== undefined) left.push({ kind: list.kind, name: cutText(String(address), 200), reason });
      else found.set(address as string, definition);
      if (left.length > limits.tools) return [...found.values()];
    }
    const next = page['nextCursor'];
    cursor = typeof next === 'string' && !seen.has(next) && seen.size < MOST_PAGES ? next : undefined;
    if (cursor !== undefined) seen.add(cursor);
  } while (cursor !== undefined);
  return [...found.values()];
}

function definitionsOf(list: unknown): Definition[] {
  if (!Array.isArray(list)) return [];
  return list.filter(
    (each) => typeof each === 'object' && each !== null && !Array.isArray(each),
  ) as Definition[];
}

function findReason(
  definition: Definition,
  {
    address,
    found,
    limits,
  }: { address: unknown; found: Map<string, Definition>; limits: MountSettings['limits'] },
): string | undefined {
  if (typeof address !== 'string' || address === '') return 'it has no name';
  if (found.has(address)) return 'the server lists it twice';
  if (found.size >= limits.tools) return `the server lists more than ${limits.tools}`;
  const bytes = Buffer.byteLength(JSON.stringify(definition));
  return bytes > limits.schemaBytes
    ? `its definition has ${bytes} bytes, more than ${limits.schemaBytes}`
    : undefined;
}
