import { inspect } from 'node:util';
import { inlineReferences, type JsonSchema, schemaOf } from '@toolwright/json';
import type { Manifest, ManifestEntry } from '@toolwright/manifest';
import type { SchemaDiagnostic } from '@toolwright/schema-compiler';
import { bootSources, type BootedSources } from '../support/booted-sources.js';
import { RecordingSink } from '../support/recording-sink.js';
import { membersIn } from './members-in.js';
import { type Fact, PREAMBLE, SECRET } from './facts.js';
import type { Member } from './members.js';
import type { Reuse } from './reuses.js';

export interface Case {
  readonly fact: Fact;
  readonly member: Member;
  readonly reuse: Reuse;
  readonly side: 'input' | 'output';
}

/** What became of a fact: the build has `named` it, or it is published and `holds`. Everything else is a fault. */
export type Fate = string;

export const titleOf = ({ fact, member, reuse, side }: Case): string =>
  `${fact.name}, at ${member.name}, ${reuse.name}, ${side}`;

/** Whether TypeScript, and what the documentation promises, allow it. */
export function isPossible({ fact, member, reuse, side }: Case): boolean {
  if (fact.isDecorator && !member.isDecorated) return false;
  if (side === 'output' && (fact.onlyInput || fact.isDefault)) return false;
  if (reuse.only && reuse.only !== side) return false;
  if (reuse.needs === 'class') return member.holder === 'class';
  return !(reuse.needs === 'named' && member.holder === 'type');
}

/** Builds one program of all cases, starts its server, and calls each tool. */
export async function ask(cases: readonly Case[]): Promise<Map<Case, Fate>> {
  const { source, lines } = sourceOf(cases);
  const logged: unknown[] = [];
  const sink = new RecordingSink();
  const log = (...entry: unknown[]) => void logged.push(entry);
  const booted = await bootSources(
    { 'tools.ts': source },
    { logger: { debug: log, info: log, warn: log, error: log }, audit: sink, lists: { patterns: 'all' } },
  );
  const listed = await listedBy(booted);
  const fates = new Map<Case, Fate>();
  for (const [number, each] of cases.entries()) {
    const [from, to] = lines[number]!;
    const about = booted.diagnostics.filter(({ line }) => line >= from && line <= to);
    logged.length = sink.records.length = 0;
    const entry = booted.manifest.entries.find(({ method }) => method === `tool${number}`)!;
    const call = async (args: object) => (await booted.wire.call(`tool${number}`, { ...args })).result;
    const heard = () => inspect([logged, sink.records], { depth: 12 });
    fates.set(
      each,
      await fateOf(each, {
        about,
        schemas: schemasOf(each.side, entry, booted.manifest, listed),
        call,
        heard,
      }),
    );
  }
  await booted.close();
  return fates;
}

interface Asked {
  readonly about: readonly SchemaDiagnostic[];
  /** What the manifest and the list have. Only the manifest is exact, and only the list has rules of the running classes. */
  readonly schemas: readonly JsonSchema[];
  readonly call: (args: object) => Promise<{ isError?: boolean; content: { text: string }[] }>;
  readonly heard: () => string;
}

async function fateOf(each: Case, { about, schemas, call, heard }: Asked): Promise<Fate> {
  const { fact, reuse, side } = each;
  const errors = about.filter(({ severity }) => severity === 'error');
  if (errors.length > 0)
    return errors.some(({ code }) => !/LOST_RULE|UNSENDABLE|ACCESSOR/.test(code))
      ? `error ${errors[0]!.code}`
      : 'named';
  const isHeld = fact.bad !== undefined;
  // A warning is enough for words. Limits and marks hold.
  if (!isHeld && about.length > 0) return 'named';
  const members = schemas.flatMap((schema) => membersIn(schema, reuse.member ?? 'it'));
  if (fact.keyword && !members.some((it) => says(it, fact, side))) return 'is not published';
  const argumentsOf = (it: unknown) =>
    argumentsFor(each, { ...(it !== undefined && { it }), other: 'x' }, schemas[0]!);
  const good = await call(argumentsOf(fact.good));
  if (good.isError) return `refuses what fits: ${good.content[0]!.text.slice(0, 150)}`;
  if (fact.isMark && heard().includes(SECRET)) return 'is shown in a log of a good call';
  if (!isHeld) return 'holds';
  const bad = await call(argumentsOf(fact.bad));
  if (!bad.isError) return 'is published, and does not hold';
  if (/Internal error/.test(bad.content[0]!.text)) return 'ends in an internal error';
  if (fact.isMark && (bad.content[0]!.text + heard()).includes(SECRET))
    return 'is shown in a refusal or a log';
  return 'holds';
}

function argumentsFor(
  { fact, reuse, side }: Case,
  value: Record<string, unknown>,
  { properties = {} }: JsonSchema,
): object {
  const json = reuse.json ? reuse.json(value, fact.type) : value;
  if (side === 'output') return { given: JSON.stringify(json) };
  return {
    ...('value' in properties ? { value: json } : (json as object)),
    ...('more' in properties && { more: 'x' }),
  };
}

function sourceOf(cases: readonly Case[]): { source: string; lines: [number, number][] } {
  const lines: [number, number][] = [];
  let source = `${PREAMBLE}
async function* eachOf<T>(all: T[]) { yield* all; }
const services: unknown[] = [];
export { services };
`;
  let line = source.split('\n').length;
  for (const [number, each] of cases.entries()) {
    const text = textOf(each, number);
    const from = line;
    line += text.split('\n').length - 1;
    source += text;
    lines.push([from, line - 1]);
  }
  return { source, lines };
}

function textOf({ fact, member, reuse, side }: Case, number: number): string {
  const fill = (text: string) =>
    text
      .replaceAll('#', () => String(number))
      .replaceAll('FACT', () => fact.written)
      .replaceAll('TYPE', () => fact.type)
      .replaceAll('GOOD', () => JSON.stringify(fact.good));
  const { use, declare = '', parameters = `value: ${use}, more: string`, made = 'GIVEN' } = reuse;
  const method =
    side === 'input'
      ? `tool#(${parameters}): void {}`
      : `tool#(@Sensitive() given: string): ${use} { const read = JSON.parse(given); return ${made.replaceAll('GIVEN', 'read')} as never; }`;
  return `${fill(member.declare)}
${fill(declare)}
@McpService() class Tools${number} { /** Works. */ @McpTool() ${fill(method)} }
services.push(Tools${number});
`;
}

async function listedBy({ wire }: BootedSources) {
  const found = new Map<string, Record<string, JsonSchema>>();
  for (let cursor: string | undefined, isFirst = true; isFirst || cursor; isFirst = false) {
    const { result } = await wire.request('tools/list', cursor === undefined ? {} : { cursor });
    for (const tool of result.tools) found.set(tool.name, tool);
    cursor = result.nextCursor;
  }
  return found;
}

function schemasOf(
  side: Case['side'],
  { method, [side]: id }: ManifestEntry,
  manifest: Manifest,
  listed: Awaited<ReturnType<typeof listedBy>>,
): JsonSchema[] {
  const exact = id === null ? [] : [inlineReferences(schemaOf(manifest, id)!)];
  return [...exact, ...[listed.get(method)?.[`${side}Schema`] ?? []].flat()];
}

function says(schema: JsonSchema, fact: Fact, side: 'input' | 'output'): boolean {
  const [name, value] = fact.keyword!;
  const keyword = name === 'writeOnly' && side === 'output' ? 'x-sensitive' : name;
  // A list for hosts has no exclusive limits: it says them in words.
  const spelt = [keyword, ...(name.startsWith('exclusive') ? [name.replace('exclusiveM', 'm')] : [])];
  if (spelt.some((each) => JSON.stringify(schema[each]) === JSON.stringify(value))) return true;
  if (name === 'type' && Array.isArray(schema.type) && (schema.type as unknown[]).includes(value))
    return true;
  // The values of a list, of a record or of a choice.
  const {
    items,
    additionalProperties,
    anyOf = [],
  } = schema as Record<string, unknown> & { anyOf?: unknown[] };
  return [items, additionalProperties, ...anyOf].some(
    (each) => typeof each === 'object' && each !== null && says(each as JsonSchema, fact, side),
  );
}
