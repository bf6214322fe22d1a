import { join } from 'node:path';
import { isDeepStrictEqual } from 'node:util';
import type { McpServer } from '@toolwright/core';
import type { JsonSchema } from '@toolwright/json';
import { buildManifest, inspectProject, type InspectedEntry } from '@toolwright/schema-compiler';
import { DecoratorTools } from './fixtures/decorators/src/decorator-tools.js';
import { boot } from './support/booting.js';
import { StatelessWire } from './wire/stateless-wire.js';

/** Texts in the forms that validators know, valid and nearly valid ones, and other values. */
const VALUES: readonly unknown[] = [
  '7c9e6679-7425-40de-944b-e07fc1f90ae7', '7c9e6679-7425-10de-944b-e07fc1f90ae7', '7C9E6679-7425-A0DE-044B-E07FC1F90AE7', 'urn:uuid:7c9e6679-7425-40de-944b-e07fc1f90ae7',
  '00000000-0000-0000-0000-000000000000', 'https://example.com/a?b=c', 'http://localhost:3000', 'ftp://files.example.com', 'sftp://a.example.com', 'example.com', 'localhost',
  'mailto:a@b.de', 'user@example.com', 'user@localhost', 'first.last+tag@mail.example.org', '2020-01-01', '2020-01-01T10:20:30Z', '2020-01-01 10:20', '2020-02-30', '2020-13-45', '2020',
  '2020-W05', '10:20', '25:00', '1.2.3', 'v1', '1.2.3-beta.1', '1.2', 'www.example.com', 'a_b.com', 'YWJj', 'YWJ', 'MFRGG===', 'a.b.c', 'a.b', '80', '65535', '65536', '#fff', '#ggg',
  'rgb(1,2,3)', 'hsl(1,2%,3%)', '0xff', '0o17', '507f1f77bcf86cd799439011', '127.0.0.1', '::1', '999.1.1.1', '01:23:45:67:89:ab', '{"a":1}', '{not', 'Passw0rd!', 'password', 'aB3$aB3$aB3$',
  'abc', 'ABC', 'a b', 'é', '12', '-1.5', 'true', 'yes', 'DE', 'XX', 'DEU', 'EUR', '4111111111111111', '4111111111111112', 'DE89370400440532013000', '9783161484100', '+491701234567',
  'en-US', 'text/html', 'Europe/Berlin', 'left', 'up', 'x', 'ABC-12', 'ABC-', 'a', 'abcdef', 5, 0, 10, 1.5, -91, null, true, [], ['7c9e6679-7425-40de-944b-e07fc1f90ae7'], ['a'], {}, '',
]; // prettier-ignore

const project = join(__dirname, 'fixtures/decorators/tsconfig.json');

interface Served {
  readonly server: McpServer;
  readonly wire: StatelessWire;
  readonly schema: JsonSchema;
}

let short: Served;
let all: Served;
let inspected: InspectedEntry;

beforeAll(async () => {
  const { manifest } = await buildManifest({ project, cache: false });
  const serve = async (patterns?: 'all'): Promise<Served> => {
    const server = await boot({
      services: [DecoratorTools],
      manifest: () => manifest,
      rateLimit: false,
      ...(patterns && { lists: { patterns } }),
    });
    const wire = new StatelessWire(server);
    const { result } = await wire.request('tools/list');
    return { server, wire, schema: result.tools[0].inputSchema as JsonSchema };
  };
  [short, all] = [await serve(), await serve('all')];
  [inspected] = (await inspectProject({ project })) as [InspectedEntry];
});

afterAll(async () => {
  await short.server.close(0);
  await all.server.close(0);
});

const bytesOf = (schema: JsonSchema) =>
  Object.entries(schema.properties!).map(([name, each]) => [name, JSON.stringify(each).length] as const);

/** The properties whose published form is another one. */
const shortened = () =>
  Object.keys(all.schema.properties!).filter(
    (name) => !isDeepStrictEqual(all.schema.properties![name], short.schema.properties![name]),
  );

test('the list shows each of more than fifty decorators in less than 120 bytes', () => {
  const bytes = bytesOf(short.schema);
  expect(bytes.length).toBeGreaterThan(50);
  expect(bytes.filter(([, length]) => length >= 120)).toEqual([]);
});

test('with patterns: all, the list has every pattern, as before', () => {
  expect(bytesOf(all.schema).filter(([, length]) => length >= 120).length).toBeGreaterThan(10);
  // The list has the first of several patterns beside the others, and not all of them in `allOf`.
  const patterns = (schema: unknown) =>
    [...JSON.stringify(schema).matchAll(/"pattern":("(?:[^"\\]|\\.)*")/g)].map(([, text]) => text).sort();
  expect(patterns(all.schema.properties)).toEqual(patterns(inspected.input.properties));
});

test('the natural schema, and the contract that is taken from it, do not depend on the option', () => {
  const [tool] = short.server.tools.list();
  expect(tool!.contract).toBe(all.server.tools.list()[0]!.contract);
  expect(tool!.inputSchema).toEqual(all.server.tools.list()[0]!.inputSchema);
});

test('every value is accepted or refused as before, in the same words', async () => {
  const counts = { accepted: 0, refused: 0 };
  for (const name of shortened()) {
    for (const value of VALUES) {
      const [now, before] = [
        await short.wire.call('take', { [name]: value }),
        await all.wire.call('take', { [name]: value }),
      ];
      expect(now.result).toEqual(before.result);
      counts[now.result.isError ? 'refused' : 'accepted']++;
    }
  }
  expect(counts.accepted).toBeGreaterThan(100);
  expect(counts.refused).toBeGreaterThan(1_500);
});

test.each([
  ['uuid4', '7c9e6679-7425-10de-944b-e07fc1f90ae7', 'expected a UUID of version 4'],
  ['url', 'http://localhost:3000', 'expected a URL such as "https://example.com/page"'],
  ['urlFtp', 'https://example.com', 'expected a URL such as "ftp://example.com/page"'],
  ['email', 'user@localhost', 'expected an e-mail address such as "name@example.com"'],
  ['iso8601', '2020-13-45', 'expected an ISO 8601 date such as "2026-07-28"'],
  ['semVer', 'v1', 'expected a semantic version such as "1.2.3"'],
  ['fqdn', 'localhost', 'expected a host name such as "www.example.com"'],
  ['port', '65536', 'expected a port number from 0 to 65535'],
])('the error for %s says what was wrong with %s', async (name, value, words) => {
  const { result } = await short.wire.call('take', { [name]: value });
  expect(result.isError).toBe(true);
  expect(result.content[0].text).toContain(words);
  expect(result.content[0].text).toContain(JSON.stringify(value));
});

test('the words of the author come before those of the pattern', () => {
  expect(short.schema.properties!['described']).toEqual({
    type: 'string',
    description: 'Where it lives. A URL such as "https://example.com/page".',
    maxLength: 2084,
  });
});

test('what an author wrote as a pattern stays', () => {
  expect(short.schema.properties!['matches']).toMatchObject({ pattern: '^[A-Z]{3}-\\d+$' });
});
