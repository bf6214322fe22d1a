import { join } from 'node:path';
import { Concurrency, type McpServer, type Principal, type ServerOptions } from '@toolwright/core';
import { buildManifest } from '@toolwright/schema-compiler';
import { PageTools } from './fixtures/versions/src/page-tools.js';
import { boot } from './support/booting.js';
import { RecordingSink } from './support/recording-sink.js';
import { StatelessWire } from './wire/stateless-wire.js';

interface Listed {
  name: string;
  description?: string;
}

const listed = async (wire: StatelessWire): Promise<Listed[]> =>
  ((await wire.request('tools/list')).result as { tools: Listed[] }).tools;
const names = async (wire: StatelessWire) => (await listed(wire)).map(({ name }) => name);
const textOf = async (wire: StatelessWire, name: string, args: object = {}) => {
  const { result, error } = await wire.call(name, { ...args });
  return (error?.message ?? result.content[0].text) as string;
};

describe('decorated versions', () => {
  let server: McpServer;
  let wire: StatelessWire;
  const sink = new RecordingSink();

  beforeAll(async () => {
    const built = await buildManifest({
      project: join(__dirname, 'fixtures/versions/tsconfig.json'),
      cache: false,
    });
    expect(built.diagnostics).toEqual([]);
    server = await boot({ services: [PageTools], manifest: () => built.manifest, audit: sink });
    wire = new StatelessWire(server);
  });

  afterAll(() => server.close(0));

  test('the newest version is listed under the bare name, and every version answers to its own', async () => {
    expect(await names(wire)).toEqual(['search_pages', 'find_page']);
    expect((await listed(wire))[0]!.description).toBe('Search pages by several words.');
    const user = (subject: string) => StatelessWire.of(server, subject);
    expect(await textOf(user('a'), 'search_pages', { words: ['x', 'y'] })).toBe('2 x y');
    expect(await textOf(user('b'), 'search_pages.v2', { words: ['x'] })).toBe('2 x');
    expect(await textOf(user('c'), 'search_pages.v1', { word: 'x' })).toBe('1 x');
    expect(await textOf(user('d'), 'search_pages.v1', { words: ['x'] })).toContain('word');
    expect(await textOf(user('e'), 'search_pages.v3', {})).toContain('search_pages');
  });

  test('the limit of a tool counts all its versions together', async () => {
    const user = StatelessWire.of(server, 'eager');
    await textOf(user, 'search_pages', { words: ['x'] });
    await textOf(user, 'search_pages.v1', { word: 'x' });
    await textOf(user, 'search_pages.v2', { words: ['x'] });
    expect(await textOf(user, 'search_pages.v1', { word: 'x' })).toContain('Rate limited');
  });

  test('the audit log has the bare name with the version, and says who calls an old one', async () => {
    sink.records.length = 0;
    const user = StatelessWire.of(server, 'auditor');
    await textOf(user, 'search_pages', { words: ['x'] });
    await textOf(user, 'search_pages.v1', { word: 'x' });
    await textOf(user, 'find_page', { id: 'x' });
    expect(
      sink.records.map(({ event: { name, version, deprecated } }) => ({ name, version, deprecated })),
    ).toEqual([
      { name: 'search_pages', version: '2', deprecated: undefined },
      { name: 'search_pages', version: '1', deprecated: true },
      { name: 'find_page', version: undefined, deprecated: true },
    ]);
  });

  test('a deprecated tool says first what to use', async () => {
    const [, find] = await listed(wire);
    expect(find!.description).toBe('Deprecated since 2.1: use search_pages. Find a page.');
  });
});

describe('versions that come and go', () => {
  let server: McpServer;
  let wire: StatelessWire;
  const add = (version: string | undefined, more: object = {}) =>
    server.tools.add({
      name: 'find',
      description: 'Find.',
      ...(version !== undefined && { version }),
      handler: () => `version ${version}`,
      ...more,
    });

  beforeEach(async () => {
    server = await boot({ services: [] } satisfies Partial<ServerOptions>);
    wire = new StatelessWire(server);
  });

  afterEach(() => server.close(0));

  test('a newer one takes the bare name, whatever the order is, and 10 is newer than 9', async () => {
    add('9');
    add('10');
    add('2');
    expect(await names(wire)).toEqual(['find']);
    expect(await textOf(wire, 'find')).toBe('version 10');
    for (const version of ['2', '9', '10'])
      expect(await textOf(wire, `find.v${version}`)).toBe(`version ${version}`);
  });

  test('without the newest one, the one before it has the bare name again', async () => {
    add('1');
    add('2');
    server.tools.remove('find.v2');
    expect(await textOf(wire, 'find')).toBe('version 1');
    expect(await textOf(wire, 'find.v2')).toContain('find');
    server.tools.remove('find.v1');
    expect(await names(wire)).toEqual([]);
  });

  test('the bare name removes all versions', async () => {
    add('1');
    add('2');
    expect(server.tools.remove('find')).toBe(true);
    expect(await names(wire)).toEqual([]);
    expect(await textOf(wire, 'find.v1')).toContain('Unknown tool');
  });

  test('new middleware is planned for every version', async () => {
    add('1');
    add('2');
    const seen: string[] = [];
    server.use(({ operation }, next) => {
      seen.push(`${operation.name} ${operation.version}`);
      return next();
    });
    await textOf(wire, 'find');
    await textOf(wire, 'find.v1');
    expect(seen).toEqual(['find 2', 'find 1']);
    expect(await names(wire)).toEqual(['find']);
  });

  test('an update of the bare name changes the newest version', async () => {
    add('1');
    add('2');
    server.tools.update('find', { description: 'Find more.' });
    expect((await listed(wire)).map(({ name, description }) => [name, description])).toEqual([
      ['find', 'Find more.'],
    ]);
    expect(await textOf(wire, 'find')).toBe('version 2');
    expect(await textOf(wire, 'find.v2')).toBe('version 2');
  });

  test('the same version twice, and a tool without a version beside one, are refused', () => {
    add('1');
    expect(() => add('1')).toThrow('"find.v1" already');
    expect(() => add(undefined)).toThrow('"find" already');
    server.tools.remove('find');
    add(undefined);
    expect(() => add('1')).toThrow('already');
  });

  test('a version is a short text', () => {
    expect(() => add('a version')).toThrow('a version of at most 16 letters');
  });
});

describe('versions for some callers', () => {
  let server: McpServer;
  const sink = new RecordingSink();
  const user = (tenant: string) =>
    new StatelessWire(server, {
      principal: { subject: `of ${tenant}`, scopes: [], tenant },
      ...{ ip: undefined, transport: 'memory' },
    });
  const isOf =
    (...tenants: string[]) =>
    (principal: Principal | undefined) =>
      tenants.includes(principal?.tenant ?? '');
  const version = (name: string, audience?: (principal: Principal | undefined) => boolean, more = {}) => ({
    name: 'find',
    description: `Find, version ${name}.`,
    annotations: { readOnlyHint: true },
    version: name,
    ...(audience && { for: audience }),
    handler: () => `version ${name}`,
    ...more,
  });
  const seenBy = async (tenant: string) => ({
    lists: (await listed(user(tenant))).map(({ description }) => description),
    gets: await textOf(user(tenant), 'find'),
  });

  beforeEach(async () => {
    sink.records.length = 0;
    server = await boot({ services: [], audit: sink, rateLimit: false } satisfies Partial<ServerOptions>);
  });

  afterEach(() => server.close(0));

  test('a caller gets the newest version that is for it under the bare name, and lists show that one', async () => {
    server.tools.add([version('1'), version('2', isOf('acme', 'beta')), version('3', isOf('beta'))]);
    expect(await seenBy('other')).toEqual({ lists: ['Find, version 1.'], gets: 'version 1' });
    expect(await seenBy('acme')).toEqual({ lists: ['Find, version 2.'], gets: 'version 2' });
    expect(await seenBy('beta')).toEqual({ lists: ['Find, version 3.'], gets: 'version 3' });
    expect(await textOf(user('beta'), 'find.v1')).toBe('version 1');
    expect(await textOf(user('acme'), 'find.v3')).toContain('Unknown tool');
  });

  test('two tenants have versions of one tool, and none sees those of the other', async () => {
    const [acme, globex] = [isOf('acme'), isOf('globex')];
    server.tools.add([version('1', acme), version('2', acme), version('1', globex)]);
    expect(await seenBy('acme')).toEqual({ lists: ['Find, version 2.'], gets: 'version 2' });
    expect(await seenBy('globex')).toEqual({ lists: ['Find, version 1.'], gets: 'version 1' });
    expect((await seenBy('other')).gets).toContain('Unknown tool');
    expect(await textOf(user('globex'), 'find.v2')).toContain('Unknown tool');
  });

  test('the audit log says that a version is an old one only where the caller has a newer one', async () => {
    server.tools.add([version('1'), version('2', isOf('beta'))]);
    for (const [tenant, name] of [
      ['other', 'find'],
      ['other', 'find.v1'],
      ['beta', 'find.v1'],
      ['beta', 'find'],
    ] as const)
      await textOf(user(tenant), name);
    expect(sink.records.map(({ event }) => [event.name, event.version, event.deprecated])).toEqual([
      ['find', '1', undefined],
      ['find', '1', undefined],
      ['find', '1', true],
      ['find', '2', undefined],
    ]);
  });

  test('one version for two audiences that share a caller is refused to that caller, and listed for none', async () => {
    server.tools.add([version('1', isOf('acme', 'both')), version('1', isOf('globex', 'both'))]);
    expect((await seenBy('both')).lists).toEqual([]);
    expect((await seenBy('both')).gets).not.toContain('version');
    expect((await seenBy('acme')).gets).toBe('version 1');
  });

  test('what list returned removes the versions for its callers, and the bare name removes all', async () => {
    const [acme, globex] = [isOf('acme'), isOf('globex')];
    server.tools.add([version('1', acme), version('2', acme), version('1', globex)]);
    const ofAcme = server.tools.list().find(({ version: is }) => is === '2')!;
    server.tools.add(version('3', globex));
    expect(server.tools.remove(ofAcme)).toBe(true);
    expect((await seenBy('acme')).gets).toContain('Unknown tool');
    expect((await seenBy('globex')).gets).toBe('version 3');
    expect(server.tools.remove('find')).toBe(true);
    expect(server.tools.list({ unlisted: true })).toEqual([]);
  });

  test('without the newer version, its callers get the one for everybody again', async () => {
    server.tools.add(version('1'));
    const second = server.tools.add(version('2', isOf('beta')));
    expect((await seenBy('beta')).gets).toBe('version 2');
    server.tools.remove(second);
    expect(await seenBy('beta')).toEqual({ lists: ['Find, version 1.'], gets: 'version 1' });
    expect(server.tools.list({ unlisted: true }).map(({ name }) => name)).toEqual(['find.v1', 'find']);
  });

  test('a tool without a version for others may have the name, and stays when the versions go', async () => {
    server.tools.add(version('1', isOf('acme')));
    const plain = { name: 'find', description: 'Find.', for: isOf('globex'), handler: () => 'plain' };
    server.tools.add(plain);
    expect((await seenBy('globex')).gets).toBe('plain');
    server.tools.remove('find.v1');
    expect((await seenBy('globex')).gets).toBe('plain');
    expect((await seenBy('acme')).gets).toContain('Unknown tool');
    server.tools.add([version('1'), version('2', isOf('acme'))].slice(1));
    expect((await seenBy('acme')).gets).toBe('version 2');
    expect(() => server.tools.add(version('1'))).toThrow('already');
  });

  test('explain says whom each version of the bare name is for', () => {
    const isOfBeta = isOf('beta');
    Object.defineProperty(isOfBeta, 'name', { value: 'isOfBeta' });
    server.tools.add([version('1'), version('2', isOfBeta)]);
    const { for: whom, others } = server.explain('find')!;
    expect([whom, ...others!.map((each) => each.for)]).toEqual([
      'everybody without a newer version',
      'isOfBeta',
    ]);
  });

  test('the slots of a version are the same under all of its names', async () => {
    let release: () => void = () => undefined;
    const held = new Promise<void>((resolve) => (release = resolve));
    const policies = [Concurrency.entry({ max: 1, queue: 0 })];
    const slow = { policies, handler: () => held.then(() => 'done') };
    server.tools.add([version('1', undefined, slow), version('2', isOf('beta'), slow)]);
    const running = textOf(user('other'), 'find');
    expect(await textOf(user('other'), 'find.v1')).not.toBe('done');
    release();
    expect(await running).toBe('done');
  });
});

test('a boot refuses two tools of which only one has a version', async () => {
  const server = await boot({ services: [] });
  const both = [
    { name: 'find', description: 'Find.', version: '1', handler: () => '' },
    { name: 'find', description: 'Find.', handler: () => '' },
  ];
  expect(() => server.tools.add(both)).toThrow('There is a tool "find" already');
  await server.close(0);
});
