import {
  cutText,
  isObject,
  type JsonSchema,
  type LeftOut,
  type ListKind,
  showHidden,
  weightOfPatterns,
  withoutNullKeywords,
} from '@toolwright/json';
import { BUDGET } from './budget.js';
import { failureOf } from './call/failures.js';
import type { MountSettings } from './options.js';
import { shownName } from './shown-name.js';
import type { UpstreamSession } from './session/upstream-session.js';
import { Turns } from './turns.js';
import { withoutNulls } from './upstream/plain-message.js';

type Definition = Readonly<Record<string, unknown>>;

/** What a server behind offers, as it says it. */
export interface UpstreamCatalogue {
  readonly tools: readonly Definition[];
  readonly prompts: readonly Definition[];
  readonly resources: readonly Definition[];
  readonly resourceTemplates: readonly Definition[];
  /** Resources with the pages of tools (MCP Apps) that are missing in the list of resources. */
  readonly apps: readonly Definition[];
  /** What was left out, and why. */
  readonly left: readonly LeftOut[];
  /** Lists that could not be read. What was read of them before is there, if anything was. */
  readonly unread: ReadonlySet<ListKind>;
}

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

/**
 * Reads all lists of a server behind, as far as its mount allows. A list that the server cannot give takes the others with
 * it only where there are none.
 *
 * @param former what is kept of a list that the server cannot give at this moment
 * @throws what the SDK throws when the server cannot be reached, and when it gives none of its lists
 */
export async function readCatalogue(
  session: UpstreamSession,
  settings: MountSettings,
  former: UpstreamCatalogue | undefined,
): Promise<UpstreamCatalogue> {
  const offered: Record<string, unknown> = { ...session.client.getServerCapabilities() };
  const left: LeftOut[] = [];
  const unread = new Map<ListKind, unknown>();
  let given = 0;
  const room = { bytes: BUDGET.catalogueBytes, turns: new Turns() };
  const read = async (list: (typeof LISTS)[number]): Promise<readonly Definition[]> => {
    const { kind, key, method } = list;
    if (!offered[list.capability]) return [];
    try {
      const all = await readPages(session, { list, settings, left, room });
      given++;
      return all;
    } catch (error) {
      if (failureOf(error) !== 'answered') throw error;
      const { message } = error as Error;
      // Many servers have resources and no templates, or the other way round.
      if (kind !== 'tool' && /not found|-32601/i.test(message)) return [];
      unread.set(kind, error);
      const said = showHidden(cutText(message, 200));
      left.push({ kind, name: method, reason: `the server does not give this list: ${said}` });
      return former?.[key] ?? [];
    }
  };
  const [tools, prompts, resources, resourceTemplates] = await Promise.all(LISTS.map(read));
  if (given === 0) for (const error of unread.values()) throw error;
  return {
    tools: tools!,
    prompts: prompts!,
    resources: resources!,
    resourceTemplates: resourceTemplates!,
    apps: [],
    left,
    unread: new Set(unread.keys()),
  };
}

interface Reading {
  readonly list: (typeof LISTS)[number];
  readonly settings: MountSettings;
  readonly left: LeftOut[];
  /** What all lists may still take. */
  readonly room: { bytes: number; readonly turns: Turns };
}

async function readPages(
  session: UpstreamSession,
  { list, settings: { limits, connectTimeout }, left, room }: Reading,
): Promise<Definition[]> {
  const found = new Map<string, Definition>();
  const seen = new Set<string>();
  // A list that never comes must leave the others their time.
  const signal = AbortSignal.timeout(Math.min(limits.answerMs, connectTimeout * BUDGET.listPart));
  let cursor: string | undefined;
  do {
    const page = await session.send(list.method, cursor === undefined ? {} : { cursor }, { signal });
    for (const given of listOf(page[list.key])) {
      await room.turns.rest();
      const address = given[list.address];
      const reason = findReason(given, { address, found, limits, room });
      if (reason !== undefined) left.push({ kind: list.kind, name: shownName(String(address)), reason });
      else found.set(address as string, plainDefinition(given));
      if (left.length > limits.tools) return [...found.values()];
    }
    const next = page['nextCursor'];
    cursor = typeof next === 'string' && !seen.has(next) && seen.size < BUDGET.pages ? next : undefined;
    if (cursor !== undefined) seen.add(cursor);
  } while (cursor !== undefined);
  return [...found.values()];
}

function listOf(list: unknown): Definition[] {
  return Array.isArray(list) ? list.filter(isObject) : [];
}

/** Members that are objects, or lists of objects, of the protocol. In `_meta`, `null` may be a value. */
const OF_PROTOCOL = ['annotations', 'execution', 'icons', 'arguments'];
const SCHEMAS = ['inputSchema', 'outputSchema'];

/** A definition in which `null` is read as absent. */
function plainDefinition(given: Definition): Definition {
  const plain = { ...withoutNulls(given) } as Record<string, unknown>;
  const inside = (value: unknown) => (isObject(value) ? withoutNulls(value) : value);
  for (const key of OF_PROTOCOL) {
    const value = plain[key];
    if (value !== undefined) plain[key] = Array.isArray(value) ? value.map(inside) : inside(value);
  }
  for (const key of SCHEMAS)
    if (isObject(plain[key])) plain[key] = withoutNullKeywords(plain[key] as JsonSchema);
  return plain;
}

interface Place {
  readonly address: unknown;
  readonly found: ReadonlyMap<string, Definition>;
  readonly limits: MountSettings['limits'];
  readonly room: { bytes: number };
}

function findReason(definition: Definition, { address, found, limits, room }: Place): string | undefined {
  if (typeof address !== 'string' || address === '') return 'it has no name';
  // Nothing else looks at an address before it is known to be short.
  if (address.length > BUDGET.addressLength) return `it is longer than ${BUDGET.addressLength} characters`;
  if (found.has(address)) return 'the server lists it twice';
  if (found.size >= limits.tools) return `the server lists more than ${limits.tools}`;
  // To write it as text takes a frame of our stack for each level.
  const { levels, values } = sizeOf(definition);
  if (levels > BUDGET.depth) return `it is nested more than ${BUDGET.depth} levels deep`;
  if (values > BUDGET.definitionValues) return `it has more than ${BUDGET.definitionValues} values`;
  if (patternLength(definition) > BUDGET.patternLength)
    return `its patterns have more than ${BUDGET.patternLength} characters`;
  const bytes = Buffer.byteLength(JSON.stringify(definition));
  if (bytes > limits.schemaBytes) return `its definition has ${bytes} bytes, more than ${limits.schemaBytes}`;
  if (bytes > room.bytes) return `all definitions have more than ${BUDGET.catalogueBytes} bytes`;
  room.bytes -= bytes;
  return undefined;
}

/** A property of Unicode counts as many characters. */
export function patternLength(definition: Definition): number {
  const schemas = SCHEMAS.map((key) => definition[key]).filter(isObject);
  return schemas.reduce((sum, schema) => sum + weightOfPatterns(schema as JsonSchema), 0);
}

/** How deep a definition is, and how many values it has. It stops where either is too much. */
function sizeOf(definition: Definition): { levels: number; values: number } {
  let level: unknown[] = [definition];
  let levels = 0;
  let values = 0;
  for (; level.length > 0 && levels <= BUDGET.depth && values <= BUDGET.definitionValues; levels++) {
    level = level.flatMap((each) => (typeof each === 'object' && each !== null ? Object.values(each) : []));
    values += level.length;
  }
  return { levels: level.length > 0 ? levels : levels - 1, values };
}
