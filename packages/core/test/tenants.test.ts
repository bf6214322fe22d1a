import { connect } from '@toolwright/testing';
import { closedAfterEach } from '../../../.ci/test/support/closed-after-each.js';
import { createMcpServer, type McpServer, type Principal } from '../src/index.js';
import { RecordingLogger } from './support/recording-logger.js';

const closing = closedAfterEach<McpServer>();

async function serve(logger = new RecordingLogger()): Promise<McpServer> {
  const server = await createMcpServer({
    name: 'desk',
    version: '1',
    services: [],
    logger,
    rateLimit: false,
  });
  closing.push(server);
  return server;
}

const of = (tenant: string | undefined, subject = 'ann'): Principal => ({
  subject,
  scopes: [],
  ...(tenant !== undefined && { tenant }),
});
const isOf = (tenant: string) => (principal: Principal | undefined) => principal?.tenant === tenant;
const exporter = (tenant: string, audience = isOf(tenant)) => ({
  name: 'export',
  title: `Export of ${tenant}`,
  description: `Exports for ${tenant}.`,
  annotations: { readOnlyHint: true },
  for: audience,
  handler: () => tenant,
});

async function seenBy(server: McpServer, principal: Principal) {
  const client = await connect(server, { principal });
  const tools = await client.tools();
  const called = await client.callText('export').catch((error: Error) => error.message);
  await client.close();
  return { listed: tools.map(({ description }) => description), called };
}

test('two tenants have tools of one name, and each sees and calls its own', async () => {
  const server = await serve();
  server.tools.add([exporter('acme'), exporter('globex')]);
  for (const tenant of ['acme', 'globex'])
    expect(await seenBy(server, of(tenant))).toEqual({ listed: [`Exports for ${tenant}.`], called: tenant });
  const stranger = await seenBy(server, of('other'));
  expect(stranger.listed).toEqual([]);
  expect(stranger.called).toMatch(/unknown tool/i);
  expect((await seenBy(server, of(undefined))).listed).toEqual([]);
});

test('what cannot be told apart is refused when it is added', async () => {
  const server = await serve();
  const audience = isOf('acme');
  server.tools.add(exporter('acme', audience));
  const { for: _, ...everybody } = exporter('acme');
  expect(() => server.tools.add(everybody)).toThrow(/TW_NAME_DUPLICATE/);
  expect(() => server.tools.add(exporter('acme', audience))).toThrow(/TW_NAME_DUPLICATE/);
  expect(() => server.tools.add([exporter('globex'), everybody])).toThrow(/TW_NAME_DUPLICATE/);
  expect(server.tools.list()).toHaveLength(1);
});

test('a caller that is meant by two of one name gets neither, and the log names both', async () => {
  const logger = new RecordingLogger();
  const server = await serve(logger);
  server.tools.add([exporter('acme'), exporter('globex', () => true)]);
  const { listed, called } = await seenBy(server, of('acme'));
  expect(listed).toEqual([]);
  expect(called).toMatch(/internal error/i);
  const logged = logger.lines
    .map((line) => JSON.stringify(line) + String((line as { fields?: { err?: Error } }).fields?.err?.message))
    .join();
  expect(logged).toContain('Export of acme');
  expect(logged).toContain('Export of globex');
  expect((await seenBy(server, of('other'))).called).toBe('globex');
});

test('an audience that throws or promises lets nobody in, and breaks no list', async () => {
  const server = await serve();
  const broken = () => {
    throw new Error('no tenants');
  };
  server.tools.add([
    exporter('acme'),
    exporter('globex', broken),
    exporter('initech', (async () => true) as never),
  ]);
  expect(await seenBy(server, of('acme'))).toEqual({ listed: ['Exports for acme.'], called: 'acme' });
});

test('one of several is removed by what add returned, all of them by their name', async () => {
  const server = await serve();
  const [acme] = server.tools.add([exporter('acme'), exporter('globex'), exporter('initech')]);
  server.use((_call, next) => next());
  expect(server.tools.remove(acme!)).toBe(true);
  expect((await seenBy(server, of('acme'))).listed).toEqual([]);
  expect((await seenBy(server, of('globex'))).called).toBe('globex');
  expect(() => server.tools.update('export', { title: 'New' })).toThrow(/TW_AUDIENCE_AMBIGUOUS/);
  expect(server.tools.remove('export')).toBe(true);
  expect(server.tools.list()).toEqual([]);
  expect(server.tools.remove('export')).toBe(false);
});

test('a tool keeps its audience when it is changed, and may get another one', async () => {
  const server = await serve();
  server.tools.add(exporter('acme'));
  server.tools.update('export', { description: 'Exports more.' });
  expect((await seenBy(server, of('acme'))).listed).toEqual(['Exports more.']);
  expect((await seenBy(server, of('globex'))).listed).toEqual([]);
  server.tools.update('export', { for: isOf('globex') });
  expect((await seenBy(server, of('acme'))).listed).toEqual([]);
  expect((await seenBy(server, of('globex'))).listed).toEqual(['Exports more.']);
  server.tools.update('export', { for: undefined });
  expect((await seenBy(server, of('initech'))).listed).toEqual(['Exports more.']);
});

test('prompts, resources and templates have audiences, too', async () => {
  const server = await serve();
  for (const tenant of ['acme', 'globex']) {
    const handler = () => tenant;
    server.prompts.add({ name: 'greet', description: 'Greets.', for: isOf(tenant), handler });
    server.resources.add({ uri: 'page://home', name: 'home', for: isOf(tenant), handler });
    server.resourceTemplates.add({ uriTemplate: 'page://{id}', name: 'page', for: isOf(tenant), handler });
  }
  for (const tenant of ['acme', 'globex', 'other']) {
    const client = await connect(server, { principal: of(tenant) });
    const read = (uri: string) =>
      client.read(uri).then(
        ({ contents }) => (contents as { text: string }[])[0]!.text,
        () => 'nothing',
      );
    const greeted = await client.get('greet').then(
      ({ messages }) => JSON.stringify(messages),
      () => 'nothing',
    );
    const expected = tenant === 'other' ? 'nothing' : tenant;
    expect(greeted).toContain(expected);
    expect([await read('page://home'), await read('page://7')]).toEqual([expected, expected]);
    expect(await client.resources()).toHaveLength(tenant === 'other' ? 0 : 1);
    await client.close();
  }
});

test('explain names all tools of a name, with whom they are for, or the one of a caller', async () => {
  const server = await serve();
  const isOfInitech = isOf('initech');
  Object.defineProperty(isOfInitech, 'name', { value: 'isOfInitech' });
  server.tools.add([exporter('acme'), exporter('globex'), exporter('initech', isOfInitech)]);
  const { description, for: whom, others } = server.explain('export')!;
  expect([description, whom]).toEqual(['Exports for acme.', expect.stringContaining('tenant')]);
  expect(others).toMatchObject([
    { description: 'Exports for globex.', steps: expect.any(Array) },
    { description: 'Exports for initech.', for: 'isOfInitech' },
  ]);
  const ofGlobex = server.explain('export', { principal: of('globex') });
  expect(ofGlobex).toMatchObject({ description: 'Exports for globex.' });
  expect(ofGlobex).not.toHaveProperty('others');
  expect(server.explain('export', { principal: of(undefined) })).toBeUndefined();
  expect(server.explain('nothing')).toBeUndefined();
});

test('a function that says whom many operations are for is asked once for a list', async () => {
  let asked = 0;
  const forAcme = (principal?: { tenant?: string }) => (asked++, principal?.tenant === 'acme');
  const server = await serve();
  server.tools.add(
    ['a', 'b', 'c'].map((name) => ({ name, description: name, for: forAcme, handler: () => name })),
  );
  const client = await connect(server);
  asked = 0;
  await client.tools();
  expect(asked).toBe(1);
  await client.close();
});
