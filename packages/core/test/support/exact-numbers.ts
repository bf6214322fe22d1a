import { join } from 'node:path';
import type { McpServer, ServerOptions } from '@toolwright/core';
import { buildManifest } from '@toolwright/schema-compiler';
import { NumberTools } from '../fixtures/numbers/src/number-tools.js';
import { boot } from './booting.js';

/** A server with the tools of numbers. */
export async function bootNumbers(options: Partial<ServerOptions> = {}): Promise<McpServer> {
  const project = join(__dirname, '../fixtures/numbers/tsconfig.json');
  const { manifest } = await buildManifest({ project, cache: false });
  return boot({ services: [NumberTools], manifest: () => manifest, rateLimit: false, ...options });
}

/** JSON with a number in place of each text that begins with `@`, digit for digit. */
export function withLiterals(value: unknown): string {
  return JSON.stringify(value).replace(/"@([^"]+)"/g, '$1');
}

type Arguments = Record<string, unknown>;
const NUMBER = '@9007199254740993';

/** Calls with numbers that no double holds, and the place that the answer names. */
export const refusedCalls: readonly (readonly [tool: string, args: Arguments, place: string])[] = [
  ['row', { id: NUMBER }, 'id'],
  ['row', { id: '@-9007199254740993' }, 'id'],
  ['row', { id: '@1234567890123456789' }, 'id'],
  ['row', { id: '@18446744073709551615' }, 'id'],
  ['row', { id: '@1e400' }, 'id'],
  ['size', { n: NUMBER }, 'n'],
  ['size', { n: '@1e400' }, 'n'],
  ['size', { n: '@-1E+309' }, 'n'],
  ['size', { n: `@1${'0'.repeat(309)}` }, 'n'],
  ['rows', { ids: [1, NUMBER], counts: {} }, 'ids[1]'],
  ['rows', { ids: [], counts: { a: NUMBER } }, 'counts.a'],
  ['any', { value: NUMBER, text: '' }, 'value'],
  ['any', { value: { deep: [{ id: NUMBER }] }, text: '' }, 'value.deep[0].id'],
  ['any', { value: null, text: NUMBER }, 'text'],
  ['big', { id: 1, pair: [NUMBER, 1] }, 'pair[0]'],
  ['big', { id: '@1e400' }, 'id'],
  ['big', { id: 1, unknown: NUMBER }, 'unknown'],
  ['order', { id: 1, lines: [{ row: 1, amount: NUMBER }], tags: [] }, 'lines[0].amount'],
  ['order', { id: 1, lines: [], tags: [NUMBER] }, 'tags[0]'],
  ['either', { one: { kind: 'named', value: NUMBER } }, 'one.value'],
  ['names', { byName: {}, byId: [[1, NUMBER]] }, 'byId[0][1]'],
];

const BIG = '9007199254740993n';

/** Calls whose numbers reach the method as they were sent, and what it gets. */
export const takenCalls: readonly (readonly [tool: string, args: Arguments, got: string])[] = [
  ['row', { id: '@9007199254740991' }, '9007199254740991'],
  ['row', { id: '@9007199254740994' }, '9007199254740994'],
  ['row', { id: '@-0' }, '0'],
  ['size', { n: '@0.1000000000000000055511151231257827' }, '0.1'],
  ['size', { n: '@1e-400' }, '0'],
  ['size', { n: '@1e19' }, '10000000000000000000'],
  ['rows', { ids: [], counts: { '9007199254740993': 1 } }, '[[],{"9007199254740993":1}]'],
  ['any', { value: '9007199254740993', text: '9007199254740993' }, '["9007199254740993","9007199254740993"]'],
  ['big', { id: NUMBER }, `["${BIG}",null,null,null]`],
  ['big', { id: '9007199254740993' }, `["${BIG}",null,null,null]`],
  ['big', { id: '@-123456789012345678901234567890' }, '["-123456789012345678901234567890n",null,null,null]'],
  [
    'big',
    { id: 1, others: [NUMBER, '7'], chosen: [NUMBER], pair: ['a', NUMBER] },
    `["1n",["${BIG}","7n"],["${BIG}"],["a","${BIG}"]]`,
  ],
  ['names', { byName: { a: NUMBER }, byId: [[NUMBER, 'b']] }, `[[["a","${BIG}"]],[["${BIG}","b"]]]`],
  [
    'order',
    { id: NUMBER, lines: [{ row: NUMBER, amount: 1 }], tags: [] },
    `{"id":"${BIG}","lines":[{"row":"${BIG}","amount":1}],"tags":[]}`,
  ],
  ['either', { one: { kind: 'counted', value: NUMBER } }, `{"kind":"counted","value":"${BIG}"}`],
];

/** Requests with such a number outside of the arguments of a tool, and the place that the error names. */
export const refusedRequests: readonly (readonly [method: string, params: Arguments, place: string])[] = [
  ['prompts/get', { name: 'words', arguments: { id: NUMBER, ids: '[]', big: '1' } }, 'params.arguments.id'],
  ['prompts/get', { name: 'words', arguments: {}, other: '@1e400' }, 'params.other'],
  ['resources/read', { uri: 'row://1', other: [NUMBER] }, 'params.other.0'],
  ['tools/list', { cursor: NUMBER }, 'params.cursor'],
  [
    'tools/call',
    { name: 'row', arguments: { id: 1 }, _meta: { progressToken: NUMBER } },
    'params._meta.progressToken',
  ],
  ['tools/call', { name: 'row', arguments: NUMBER }, 'params.arguments'],
  [
    'completion/complete',
    { ref: { type: 'ref/prompt', name: 'words' }, argument: { name: 'id', value: NUMBER } },
    'params.argument.value',
  ],
];
