/** Integers that no double holds, and two that one holds with the shortest digits of another integer. */
export const integers = [
  '1234567890123456789',
  '9007199254740993',
  '-9007199254740993',
  '18446744073709551615',
  '1152921504606846976',
  '-9223372036854775808',
];

/** A service whose methods take and give an integer in every form that a type has for it. */
export const integerTools = `
import {
  Cache, CompletionProvider, Confirm, Injectable, MaxOutput, McpPrompt, McpResourceTemplate, McpService, McpTool, ToolContext,
  ToolError, type CompletionSource,
} from '@toolwright/core';

interface Row { id: bigint; ids: bigint[]; by: Record<string, bigint>; map: Map<string, bigint>; set: Set<bigint>; deep: { rows: { id: bigint | null }[] } }
const rowOf = (id: bigint): Row => ({
  id, ids: [id, 1n], by: { a: id }, map: new Map([['a', id]]), set: new Set([id]), deep: { rows: [{ id }, { id: null }] },
});
/** Everything that the methods have got. */
export const seen: string[] = [];
const see = (...values: unknown[]) => void seen.push(values.map((each) => typeof each + ' ' + String(each)).join());

@Injectable() class Ids implements CompletionSource {
  complete(typed: string, known: Readonly<Record<string, unknown>>): string[] {
    see(typed, known['id']);
    return [typed];
  }
}

const ONLY_NUMBERS = {
  type: 'object',
  properties: { id: { type: 'integer' }, ids: { type: 'array', items: { type: 'number' } }, code: { type: 'string' } },
  required: ['id', 'ids', 'code'],
} as const;

@McpService() export class Tools {
  #cached = 0;
  @McpTool() give(id: bigint): Row { see(id); return rowOf(id); }
  @McpTool() take(row: Row): string {
    see(row.id, row.ids[0], row.by['a'], row.map.get('a'), [...row.set][0], row.deep.rows[0]!.id);
    return String(row.id);
  }
  @McpTool({ annotations: { readOnlyHint: true } }) @Cache({ ttl: '1h' })
  cached(id: bigint): { row: Row; run: number } { see(id); return { row: rowOf(id), run: ++this.#cached }; }
  @McpTool() @Confirm(({ id }) => \`Delete \${id}?\`) confirmed(id: bigint): Row { see(id); return rowOf(id); }
  @McpTool() @Confirm(({ id }) => \`Delete \${id}?\`, { fallback: 'argument' }) argued(id: bigint): Row { see(id); return rowOf(id); }
  @McpTool() async asked(id: bigint, ctx: ToolContext): Promise<Row> {
    const kept = await ctx.once('row', () => rowOf(id));
    const { content } = await ctx.elicit<{ other: bigint }>('which', { message: \`Beside \${id}?\` });
    see(id, kept.id, kept.map.get('a'), content!.other);
    return rowOf(content!.other);
  }
  @McpTool() async sampled(id: bigint, ctx: ToolContext): Promise<Row> {
    const messages = [{ role: 'user' as const, content: { type: 'text' as const, text: \`Row \${id}\` } }];
    const { value } = await ctx.sample<{ other: bigint }>('other', { messages, maxTokens: 9, metadata: { id } });
    see(id, value.other);
    return rowOf(value.other);
  }
  @McpTool() async ranked(ctx: ToolContext): Promise<string> {
    const { value } = await ctx.sample<{ rank: number }>('rank', { messages: [], maxTokens: 9 });
    see(value.rank);
    return String(value.rank);
  }
  @McpTool() said(id: bigint, ctx: ToolContext): string {
    ctx.log.info({ id, deep: [{ id }], number: Number(id) });
    ctx.progress(1, 2, \`row \${id}\`);
    throw new ToolError(\`No row \${id}.\`, { meta: { 'x/id': id, 'x/number': Number(id) } });
  }
  @McpTool({ annotations: { readOnlyHint: true } }) @MaxOutput({ tokens: 40 })
  paged(id: bigint): bigint[] { see(id); return Array.from({ length: 20 }, () => id); }
  @McpTool({ task: 'optional' }) async queued(id: bigint, ctx: ToolContext): Promise<Row> {
    const kept = await ctx.once('row', () => rowOf(id));
    const { content } = await ctx.elicit<{ other: bigint }>('what', { message: \`Beside \${id}?\` });
    see(id, kept.id, kept.map.get('a'), content!.other);
    return rowOf(content!.other);
  }
  @McpTool({ task: 'optional' }) later(row: { id: bigint }): Row { see(row.id); return rowOf(row.id); }
  @McpTool({ task: 'optional', outputSchema: ONLY_NUMBERS }) strict(id: bigint): object { see(id); return { id, ids: [1, id], code: id }; }
  @McpPrompt() words(@CompletionProvider({ provider: Ids }) id: bigint, ids: bigint[] = []): string { see(id, ...ids); return \`Row \${id}\`; }
  @McpResourceTemplate({ uriTemplate: 'row://{id}{?ids*}' })
  page(@CompletionProvider({ provider: Ids }) id: bigint, ids: bigint[] = []): Row { see(id, ...ids); return rowOf(id); }
}`;

/** The row of an integer as JSON. A `bigint` that no number holds is a string of digits. */
export const rowText = (id: string): string =>
  `{"id":"${id}","ids":["${id}",1],"by":{"a":"${id}"},"map":{"a":"${id}"},"set":["${id}"],"deep":{"rows":[{"id":"${id}"},{"id":null}]}}`;

/** The two forms in which a client sends an integer: digit for digit as a number, and its digits as a text. */
export const formsOf = (id: string): string[] => [`@${id}`, id];

/** What `strict` gives. Its output schema takes numbers alone, but for the code. */
export const strictText = (id: string): string => `{"id":${id},"ids":[1,${id}],"code":"${id}"}`;
