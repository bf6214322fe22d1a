import type { Listed, McpClient } from '@toolwright/client';
import { isDeepStrictEqual } from 'node:util';
import { type ToolChange, type ContractChange, textChange } from './change.js';
import { newlyHidden } from './hidden-characters.js';

/** What callers of a prompt, a resource or a template depend on. */
interface PartContract {
  title?: string;
  description?: string;
  mimeType?: string;
  arguments?: Record<string, { description?: string; required: boolean }>;
}

type PartKind = 'prompts' | 'resources' | 'resourceTemplates';

/** By the name of a prompt, the URI of a resource, the URI template of a template. Locks of earlier releases have none. */
export type Parts = Partial<Record<PartKind, Record<string, PartContract>>>;

const kinds: Record<PartKind, { what: string; key: string; capability: string }> = {
  prompts: { what: 'prompt', key: 'name', capability: 'prompts' },
  resources: { what: 'resource', key: 'uri', capability: 'resources' },
  resourceTemplates: { what: 'template', key: 'uriTemplate', capability: 'resources' },
};
const partKinds = Object.keys(kinds) as PartKind[];

/**
 * What a server lists beside its tools. It need not serve all kinds.
 *
 * @param hidden keys that are left out
 */
export async function listParts(client: McpClient, hidden: readonly string[] = []): Promise<Required<Parts>> {
  const lists = partKinds.map(async (kind) => {
    const { key, capability } = kinds[kind];
    const listed: Listed[] = client.server.capabilities[capability]
      ? await client[kind]().catch(notServed)
      : [];
    const entries = listed
      .map((one) => [String(one[key]), partOf(one)] as const)
      .filter(([name]) => !hidden.includes(name))
      .sort(([a], [b]) => (a < b ? -1 : 1));
    return [kind, Object.fromEntries(entries)] as const;
  });
  return Object.fromEntries(await Promise.all(lists)) as Required<Parts>;
}

export const METHOD_NOT_FOUND = -32601;

/** Servers of others may have resources and no list of templates. */
function notServed(error: unknown): never[] {
  if ((error as { code?: unknown } | undefined)?.code === METHOD_NOT_FOUND) return [];
  throw error;
}

/** What callers depend on of something that is listed. */
export function partOf({ title, description, mimeType, arguments: given }: Listed): PartContract {
  return {
    ...(title !== undefined && { title }),
    ...(description !== undefined && { description }),
    ...(typeof mimeType === 'string' && { mimeType }),
    ...(Array.isArray(given) && { arguments: Object.fromEntries(given.map(argumentOf)) }),
  };
}

function argumentOf({ name, description, required }: Record<string, unknown>) {
  return [
    String(name),
    { ...(typeof description === 'string' && { description }), required: required === true },
  ] as const;
}

/** The kind and the key of what a change of `compareParts` is about. */
export function partOfChange({
  tool,
}: Pick<ToolChange, 'tool'>): { kind: PartKind; key: string } | undefined {
  const kind = partKinds.find((each) => tool.startsWith(`${kinds[each].what} `));
  return kind && { kind, key: tool.slice(kinds[kind].what.length + 1) };
}

/** Lists what changed beside the tools. A lock of an earlier release says nothing about a kind, so it is not compared. */
export function compareParts(before: Parts, after: Parts): ToolChange[] {
  return partKinds.flatMap((kind) => {
    const [old, now] = [before[kind], after[kind]];
    if (!old || !now) return [];
    const { what } = kinds[kind];
    const names = [...new Set([...Object.keys(old), ...Object.keys(now)])].sort();
    return names.flatMap((name) =>
      comparePart(what, old[name], now[name]).map((each) => ({ tool: `${what} ${name}`, ...each })),
    );
  });
}

function comparePart(
  what: string,
  old: PartContract | undefined,
  now: PartContract | undefined,
): ContractChange[] {
  if (!now) return [{ impact: 'breaking', path: '', message: `the ${what} was removed` }];
  if (!old)
    return [
      { impact: 'compatible', path: '', message: `the ${what} was added` },
      ...newlyHidden(undefined, now),
    ];
  const texts = (['title', 'description'] as const)
    .filter((member) => old[member] !== now[member])
    .map((member) => textChange(member, `/${member}`, [old[member], now[member]]));
  const type: ContractChange[] =
    old.mimeType === now.mimeType
      ? []
      : [
          {
            impact: 'breaking',
            path: '/mimeType',
            message: `mimeType was ${old.mimeType ?? 'unknown'}, is ${now.mimeType ?? 'unknown'}`,
          },
        ];
  return [...texts, ...type, ...compareArguments(old.arguments, now.arguments), ...newlyHidden(old, now)];
}

function compareArguments(
  old: PartContract['arguments'] = {},
  now: PartContract['arguments'] = {},
): ContractChange[] {
  const names = [...new Set([...Object.keys(old), ...Object.keys(now)])].sort();
  return names.flatMap((name): ContractChange[] => {
    const path = `/arguments/${name}`;
    const [was, is] = [old[name], now[name]];
    if (isDeepStrictEqual(was, is)) return [];
    if (!is) return [{ impact: 'breaking', path, message: 'the argument was removed' }];
    const added = was ? 'the argument is required now' : 'a required argument was added';
    if (is.required && !was?.required) return [{ impact: 'breaking', path, message: added }];
    if (!was) return [{ impact: 'compatible', path, message: 'an optional argument was added' }];
    return was.required === is.required
      ? [textChange('description', path, [was.description, is.description])]
      : [{ impact: 'compatible', path, message: 'the argument is optional now' }];
  });
}
