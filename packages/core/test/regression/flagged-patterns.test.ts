import { join } from 'node:path';
import { createMcpServer, type McpServer, type ToolContext } from '@toolwright/core';
import type { Manifest } from '@toolwright/manifest';
import { buildManifest } from '@toolwright/schema-compiler';
import { Matches } from 'class-validator';
import { silentLogger } from '@toolwright/core/ports';
import * as fixtures from '../fixtures/patterns/src/pattern-tools.js';
import { problemsOf } from '../support/booting.js';
import { StatelessWire } from '../wire/stateless-wire.js';

let manifest: Manifest;

beforeAll(async () => {
  const project = join(__dirname, '../fixtures/patterns/tsconfig.json');
  ({ manifest } = await buildManifest({ project, cache: false }));
});

const serve = (service: new () => object): Promise<McpServer> =>
  createMcpServer({
    name: 'test',
    version: '1',
    services: [service],
    manifest: () => manifest,
    logger: silentLogger,
  });

test.each([
  ['flags', fixtures.FlaggedTools, 'FlaggedDto'],
  ['each item', fixtures.EachTools, 'EachDto'],
  ['a pattern and flags as texts', fixtures.TextTools, 'TextDto'],
  ['a pattern that is built of constants', fixtures.BuiltTools, 'BuiltDto'],
  ['an option of another decorator', fixtures.UrlTools, 'UrlDto'],
  ['a nested class', fixtures.NestedTools, 'InnerDto'],
  ['a group', fixtures.GroupedTools, 'GroupedDto'],
  ['a decorator that only runs', fixtures.LateTools, 'LateDto'],
  ['the arguments of a prompt', fixtures.PromptTools, 'FlaggedDto'],
])('a server does not start with a pattern that can take exponential time: %s', async (_, service, name) => {
  const [problem] = await problemsOf({ services: [service], manifest: () => manifest });
  expect(problem).toMatchObject({
    code: 'TW_PATTERN_UNSAFE',
    message: expect.stringContaining(`class ${name}, the pattern /`) as string,
    fix: expect.stringContaining('begins with a character of its own') as string,
    location: expect.stringMatching(/pattern-tools\.ts:\d+:\d+$/) as string,
  });
});

test('a server does not start with such a pattern in a result either', async () => {
  const [problem] = await problemsOf({ services: [fixtures.ResultTools], manifest: () => manifest });
  expect(problem).toMatchObject({
    code: 'TW_PATTERN_UNSAFE',
    message: expect.stringContaining('In the result of the tool "result"') as string,
  });
});

test('a pattern that takes quadratic time has a budget, however long the text', async () => {
  const server = await serve(fixtures.BoundedTools);
  const wire = new StatelessWire(server);
  const short = await wire.call('bounded', { text: 'x  ' });
  expect(short.result.structuredContent).toBe(3);
  const long = await wire.call('bounded', { text: `${' '.repeat(200_000)}x` });
  expect(long.result.content[0].text).toContain('it would take too long to tell');
  await server.close(0);
});

test('a pattern that appears after the start matches no text if it is dangerous', async () => {
  const server = await serve(fixtures.BoundedTools);
  Matches(/^(\s+)+x?$/i, { message: 'text must be blank' })(fixtures.QuadraticDto.prototype, 'text');
  const { result } = await new StatelessWire(server).call('bounded', { text: `${' '.repeat(60)}! ` });
  expect(result.content[0].text).toContain('text must be blank, and shorter');
  await server.close(0);
});

test('a schema with such a pattern in its result cannot be added', async () => {
  const server = await createMcpServer({ name: 'test', version: '1', logger: silentLogger });
  const outputSchema = { type: 'object', patternProperties: { '^(a|a)*$': {} } };
  const add = () => server.tools.add({ name: 'proxy', description: 'x', outputSchema, handler: () => ({}) });
  expect(add).toThrow('In the result of the tool "proxy", the pattern "^(a|a)*$"');
});

test('no question is asked with such a pattern', async () => {
  const logged: unknown[] = [];
  const logger = { ...silentLogger, error: (...args: unknown[]) => void logged.push(...args) };
  const server = await createMcpServer({ name: 'test', version: '1', logger });
  server.tools.add({
    name: 'ask',
    description: 'x',
    handler: (_: unknown, ctx: ToolContext) =>
      ctx.elicit('name', {
        message: 'Name?',
        schema: { type: 'object', properties: { name: { type: 'string', pattern: '^(a+)+$' } } },
      }),
  });
  const { result } = await new StatelessWire(server).call('ask', {});
  expect(result.isError).toBe(true);
  expect(
    JSON.stringify(logged, (_, value: unknown) => (value instanceof Error ? value.message : value)),
  ).toContain('In the schema of the question');
});
