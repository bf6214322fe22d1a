import type { ToolResult } from '@toolwright/ground/base/content';
import type { Principal } from '@toolwright/ground/base/request-context';
import { embedded, text } from '@toolwright/ground/call/results/content';
import { systemClock } from '@toolwright/ground/ports/clock-and-ids';
import { MemoryResultCache, type ResultCache } from '@toolwright/ground/ports/result-cache';
import {
  type GivenToFixture,
  PipelineFixture,
  textOf,
  type ToolOptions,
} from '../../../test/support/pipeline-fixture.js';
import { Cache } from '../cache.js';
import { Confirm } from '../confirm/confirm.js';
import { MaxOutput } from './max-output.js';

const rows = Array.from({ length: 500 }, (_, id) => ({ id }));
const reads = { annotations: { readOnlyHint: true } };
const max = (bytes: number) => ({ policies: [MaxOutput.entry({ bytes })] });
const secrets = ['s'.repeat(32)];

/** A server with one tool, which counts how often it runs. */
class Served {
  runs = 0;
  readonly fixture: PipelineFixture;
  readonly tool;

  constructor(
    private readonly method: (args: Record<string, unknown>) => unknown,
    options: ToolOptions,
    { cache, ...given }: GivenToFixture & { cache?: ResultCache } = {},
  ) {
    this.fixture = new PipelineFixture({}, { stores: { cache }, ...given } as GivenToFixture);
    this.tool = this.fixture.tool((args: Record<string, unknown>) => {
      this.runs++;
      return this.method(args);
    }, options);
  }

  call(
    args: Record<string, unknown> = {},
    principal: Principal | undefined = { subject: 'ann', scopes: [] },
  ) {
    return this.fixture.call(this.tool, args, this.fixture.request({ principal }));
  }

  /** All parts, as a model gets them that follows the notes. */
  async all(args: Record<string, unknown> = {}): Promise<ToolResult[]> {
    const parts: ToolResult[] = [];
    for (let cursor: string | undefined; ;) {
      const part = await this.call({ ...args, ...(cursor && { cursor }) });
      parts.push(part);
      cursor = cursorOf(part);
      if (cursor === undefined) return parts;
      if (parts.length > 100) throw new Error('The parts never end.');
    }
  }
}

const cursorOf = (result: ToolResult) => /"cursor": "([^"]+)"/.exec(textOf(result))?.[1];
const bodyOf = ({ content }: ToolResult) => (content[0] as { text: string }).text;

describe.each([
  ['a tool that only reads runs again', reads, (parts: number) => parts],
  ['any other tool runs once', {}, () => 1],
])('%s', (_, options, runs) => {
  it.each([
    ['a list', () => rows, {}],
    ['a list of its schema', () => rows, { outputSchema: { type: 'array' } }],
    ['the list of an object', () => ({ rows }), { outputSchema: { type: 'object' } }],
  ])('%s goes on until its end', async (_name, method, more) => {
    const served = new Served(method, { ...max(1_000), ...options, ...more });
    const parts = await served.all({ a: 1 });
    const got = parts.flatMap((part) => {
      const value = JSON.parse(bodyOf(part)) as typeof rows | { rows: typeof rows };
      if ('outputSchema' in more) expect(part.structuredContent).toEqual(value);
      expect(Buffer.byteLength(bodyOf(part))).toBeLessThanOrEqual(1_000);
      return Array.isArray(value) ? value : value.rows;
    });
    expect(got).toEqual(rows);
    expect(parts.length).toBeGreaterThan(4);
    expect(served.runs).toBe(runs(parts.length));
  });

  it('text goes on without breaking a character', async () => {
    const prose = 'Grüße 👋 '.repeat(200);
    const served = new Served(() => prose, { ...max(101), ...options });
    const parts = await served.all();
    expect(parts.map(bodyOf).join('')).toBe(prose);
    expect(served.runs).toBe(runs(parts.length));
  });

  it.each([
    ['bytes', { blob: Buffer.from(Array.from({ length: 999 }, (_item, at) => at % 256)).toString('base64') }],
    ['text', { text: 'äb'.repeat(400) }],
  ])('a file goes on: %s', async (_name, file) => {
    const method = () => [text('Here it is.'), embedded({ uri: 'a://file', ...file } as never)];
    const parts = await new Served(method, { ...max(400), ...options }).all();
    const pieces = parts.map(({ content }) => {
      const { blob, text: written } = (content[1] as { resource: { blob?: string; text?: string } }).resource;
      return blob === undefined ? Buffer.from(written!) : Buffer.from(blob, 'base64');
    });
    expect(Buffer.concat(pieces)).toEqual(
      'blob' in file ? Buffer.from(file.blob, 'base64') : Buffer.from(file.text),
    );
    expect(parts.length).toBeGreaterThan(2);
  });

  describe('a cursor', () => {
    const served = (ports?: GivenToFixture & { cache?: ResultCache }) =>
      new Served(() => rows, { ...max(1_000), ...options }, ports);
    const refusal = async (answer: Promise<ToolResult>) => {
      const result = await answer;
      expect(result.isError).toBe(true);
      expect(textOf(result)).not.toContain('"id"');
      return textOf(result);
    };

    it.each<[string, Principal | undefined]>([
      ['another caller', { subject: 'bob', scopes: [] }],
      ['the same name at another tenant', { subject: 'ann', scopes: [], tenant: 'other' }],
      ['the same name at another issuer', { subject: 'ann', scopes: [], issuer: 'https://other.example' }],
      ['the caller with other scopes', { subject: 'ann', scopes: ['admin'] }],
      ['the caller with another claim', { subject: 'ann', scopes: [], claims: { role: 'x' } } as Principal],
      ['nobody', undefined],
    ])('is refused to %s', async (_who, principal) => {
      const one = served();
      const cursor = cursorOf(await one.call());
      const { runs: before } = one;
      const request = one.fixture.request({ principal });
      expect(await refusal(one.fixture.call(one.tool, { cursor }, request))).toContain('another caller');
      expect(one.runs).toBe(before);
      expect(one.fixture.sink.records.at(-1)!.event).toMatchObject({ reason: 'TW_CURSOR_INVALID' });
    });

    it('counts for the caller with a new token', async () => {
      const one = served();
      const token = (claims: object) => ({ subject: 'ann', scopes: ['a', 'b'], claims }) as Principal;
      const cursor = cursorOf(await one.call({}, token({ role: 'x', exp: 1, jti: 'a' })));
      const next = await one.call({ cursor }, token({ role: 'x', exp: 2, jti: 'b' }));
      expect(next.isError).toBeUndefined();
    });

    it('is refused with other arguments, and with another tool', async () => {
      const one = served();
      const cursor = cursorOf(await one.call({ a: 1 }));
      for (const args of [{ a: 2 }, {}, { a: 1, b: 1 }])
        expect(await refusal(one.call({ ...args, cursor }))).toContain('other arguments');
      const other = one.fixture.tool(() => rows, { ...max(1_000), ...options, name: 'other' });
      expect(await refusal(one.fixture.call(other, { a: 1, cursor }))).toContain('cannot be used');
      const release = one.fixture.tool(() => rows, { ...max(1_000), ...options, contract: 'facade' });
      expect(await refusal(one.fixture.call(release, { a: 1, cursor }))).toContain('cannot be used');
    });

    it('is refused when it is forged, cut, empty, or of another server', async () => {
      const one = served();
      const cursor = cursorOf(await one.call())!;
      const flipped = (at: number) =>
        cursor.slice(0, at) + (cursor[at] === 'A' ? 'B' : 'A') + cursor.slice(at + 1);
      const forged = [...Array(20).keys()].map((at) => flipped(Math.floor((at * cursor.length) / 20)));
      for (const each of [...forged, '', 'x', cursor.slice(1), `${cursor}AAAA`, 'A'.repeat(100_000)])
        expect(await refusal(one.call({ cursor: each }))).toContain('cannot be used');
      expect(await refusal(served().call({ cursor }))).toContain('cannot be used');
      expect(textOf(await one.call({ cursor: 7 }))).toMatch(/cursor/);
    });

    it('may be used again, and is refused after its time', async () => {
      const one = served();
      const cursor = cursorOf(await one.call());
      const part = bodyOf(await one.call({ cursor }));
      expect(bodyOf(await one.call({ cursor }))).toBe(part);
      await one.fixture.clock.advance(599_999);
      expect(bodyOf(await one.call({ cursor }))).toBe(part);
      await one.fixture.clock.advance(1);
      expect(await refusal(one.call({ cursor }))).toContain('too old');
    });

    it('works in each process that has the secrets and the store', async () => {
      const cache = new MemoryResultCache(systemClock);
      const [one, two] = [served({ cache, secrets }), served({ cache, secrets })];
      const cursor = cursorOf(await one.call());
      expect(bodyOf(await two.call({ cursor }))).toContain('"id"');
      const stranger = served({ cache, secrets, server: 'other' });
      expect(await refusal(stranger.call({ cursor }))).toContain('cannot be used');
    });
  });

  it('the schema has the cursor, and the contract and the method do not', async () => {
    let got: object | undefined;
    const method = (args: object) => ((got = args), 'x'.repeat(100));
    const served = new Served(method, { ...max(60), ...options });
    expect(served.tool.inputSchema.properties).toMatchObject({ cursor: { type: 'string' } });
    expect(served.tool.contract).toBe('c0ffee');
    const plain = new Served(method, { annotations: options === reads ? reads.annotations : {} });
    expect(plain.tool.inputSchema.properties).toBeUndefined();
    const cursor = cursorOf(await served.call({ a: 1 }));
    await served.call({ a: 1, cursor });
    expect(got).toEqual({ a: 1 });
  });
});

test('other data is the refusal to start again', async () => {
  let shown: unknown = rows;
  const served = new Served(() => shown, { ...max(1_000), ...reads });
  const cursor = cursorOf(await served.call());
  shown = [...rows, { id: 500 }];
  const refused = await served.call({ cursor });
  expect(textOf(refused)).toBe(
    'The cursor cannot be used: the data has changed since the first part. Start again: call the tool without "cursor".',
  );
  expect(served.fixture.sink.records.at(-1)!.event).toMatchObject({ reason: 'TW_CURSOR_STALE' });
  shown = [];
  expect(textOf(await served.call({ cursor }))).toContain('the data has changed');
});

test('a method with a cursor of its own gets it', async () => {
  const inputSchema = { type: 'object' as const, properties: { cursor: { type: 'string' } } };
  const served = new Served(({ cursor }) => `${String(cursor)} ${'x'.repeat(100)}`, {
    ...max(60),
    inputSchema,
  });
  const first = await served.call({ cursor: 'mine' });
  expect(bodyOf(first)).toMatch(/^mine x/);
  expect(textOf(first)).toContain('Ask for less, or for the next part.');
  expect(served.tool.inputSchema).toBe(inputSchema);
});

test('processes that share something, and no store of results, have no cursor and say what to do', async () => {
  const served = new Served(() => rows, max(1_000), { secrets });
  expect(served.tool.inputSchema.properties).toBeUndefined();
  expect(textOf(await served.call())).toContain('Ask for less');
  const reader = new Served(() => rows, { ...max(1_000), ...reads }, { secrets });
  expect(cursorOf(await reader.call())).toBeDefined();
});

test('a next part asks nobody to confirm again, and does nothing again', async () => {
  const policies = [MaxOutput.entry({ bytes: 1_000 }), Confirm.entry('Sure?')];
  const served = new Served(() => rows, { policies: [policies[0]!] });
  const cursor = cursorOf(await served.call());
  const confirmed = served.fixture.tool(() => rows, { policies });
  const part = await served.fixture.call(confirmed, { cursor });
  expect(bodyOf(part)).toContain('"id"');
  expect(served.runs).toBe(1);
});

test('a result that only reads asks once for all of its parts', async () => {
  const policies = [MaxOutput.entry({ bytes: 1_000 }), Confirm.entry('Sure?')];
  let shown: unknown = rows;
  const served = new Served(() => shown, { ...reads, policies });
  const { fixture, tool } = served;
  let asked = 0;
  const input = {
    ask: async () => (asked++, { action: 'accept', content: { confirm: true } }),
    supports: () => true,
    pending: new Map(),
    resumed: false,
    paid: false,
    recall: () => undefined,
    remember: () => undefined,
  };
  const call = (args: object = {}) => fixture.call(tool, { ...args }, fixture.request({ input }));
  const parts = [await call()];
  for (let cursor; (cursor = cursorOf(parts.at(-1)!)) !== undefined;) parts.push(await call({ cursor }));
  expect(parts.flatMap((part) => JSON.parse(bodyOf(part)) as object[])).toEqual(rows);
  expect(parts.length).toBeGreaterThan(4);
  expect(asked).toBe(1);
  // Nobody has agreed to this one.
  const cursor = cursorOf(parts[0]!)!;
  expect((await call({ a: 1, cursor })).isError).toBe(true);
  shown = [...rows, { id: 500 }];
  expect(textOf(await call({ cursor }))).toContain('the data has changed');
  expect(asked).toBe(1);
});

test('the note offers a next part only where there is one', async () => {
  const noteOf = async (method: () => unknown, options: ToolOptions) =>
    textOf(await new Served(method, options, { secrets }).call()).split('left out at the end. ')[1];
  const twoLists = () => ({ one: rows, two: rows });
  expect(await noteOf(() => rows, { ...max(1_000), ...reads, exactSchema: true })).toBe('Ask for less.]');
  expect(await noteOf(() => rows, max(1_000))).toBe('Ask for less, if the tool may run again.]');
  expect(await noteOf(twoLists, { ...max(100), ...reads })).toBe('Ask for less.]');
});

test('a cached part leads to a part as long as it is cached', async () => {
  const policies = [MaxOutput.entry({ bytes: 1_000 }), Cache.entry({ ttl: '20m' })];
  const served = new Served(() => rows, { ...reads, policies });
  await served.call();
  await served.fixture.clock.advance(1_199_000);
  const cursor = cursorOf(await served.call());
  expect(served.runs).toBe(1);
  expect((await served.call({ cursor })).isError).toBeUndefined();
});

test('a part that does not fit the schema is not sent', async () => {
  const outputSchema = { type: 'array', minItems: 50, items: {} };
  const served = new Served(() => rows.slice(0, 100), { ...max(600), outputSchema });
  const first = await served.call();
  const second = await served.call({ cursor: cursorOf(first) });
  expect(JSON.parse(bodyOf(first))).toHaveLength(60);
  expect(textOf(second)).toContain('does not fit the schema');
});

test('an item that is too large for a part does not lead to itself', async () => {
  const served = new Served(() => [1, 2, 'x'.repeat(100), 3], { ...max(50), ...reads });
  const refused = await served.call({ cursor: cursorOf(await served.call()) });
  expect(textOf(refused)).toMatch(/^The result of work is larger than 50 byt/);
});

describe('what is kept', () => {
  const sizes = (cache: Map<string, unknown>) => [...cache.values()].map((value) => String(value).length);
  const storeOf = (kept: Map<string, unknown>): ResultCache => ({
    get: async (key) => kept.get(key),
    set: async (key, value) => void kept.set(key, value),
  });
  const megabytes = (count: number) => ['x'.repeat(count * 1_000_000 - 100), 'y'.repeat(2_000)].join('');

  const largeRows = Array.from({ length: 80_000 }, (_, id) => ({ id, name: `"${'a'.repeat(100)}"` }));

  it('is sealed, and takes at most 16 MB of a caller, whatever the caller keeps', async () => {
    const kept = new Map<string, unknown>();
    const ports = { cache: storeOf(kept), secrets };
    const processes = [1, 2].map(() => new Served(({ n }) => megabytes(Number(n)), max(1_000), ports));
    for (const served of processes)
      for (const n of [3, 5, 7, 2]) expect(cursorOf(await served.call({ n }))).toBeDefined();
    expect(kept.size).toBe(16);
    expect(Math.max(...sizes(kept))).toBeLessThan(1_000_000);
    expect(JSON.stringify([...kept].map(([key, value]) => [key, String(value).slice(0, 1_000)]))).not.toMatch(
      /xxxxxxxx|"ann/,
    );
    await processes[0]!.call({ n: 1 }, { subject: 'bob', scopes: [] });
    expect(kept.size).toBe(18);
  });

  it.each<[string, () => unknown, object]>([
    ['letters', () => 'x'.repeat(11_000_000), {}],
    ['letters of more bytes', () => 'ü'.repeat(5_000_000), {}],
    ['quotation marks', () => '"'.repeat(5_000_000), {}],
    ['data that its text repeats', () => largeRows, { outputSchema: { type: 'array' } }],
  ])('takes at most 16 MB as it is stored: %s', async (_name, method, more) => {
    const kept = new Map<string, unknown>();
    const served = new Served(method, { ...max(1_000), ...more }, { cache: storeOf(kept), secrets });
    const cursor = cursorOf(await served.call())!;
    const stored = [...kept].map(([key, value]) => Buffer.byteLength(JSON.stringify([key, value])));
    expect(Math.max(...stored)).toBeLessThanOrEqual(1_000_000);
    expect(stored.reduce((sum, size) => sum + size)).toBeLessThanOrEqual(16_000_000);
    expect((await served.call({ cursor })).isError).toBeUndefined();
    expect(served.runs).toBe(1);
  });

  it('is replaced by newer results, and is then refused and never mixed', async () => {
    const kept = new Map<string, unknown>();
    const served = new Served(({ n }) => megabytes(Number(n)), max(1_000), { cache: storeOf(kept), secrets });
    const cursor = cursorOf(await served.call({ n: 9 }));
    expect((await served.call({ n: 9, cursor })).isError).toBeUndefined();
    await served.call({ n: 8 });
    const refused = await served.call({ n: 9, cursor });
    expect(textOf(refused)).toBe(
      'The cursor cannot be used: what it continues is not kept any more. Do not call work again only for the rest: it would run again.',
    );
    expect(served.runs).toBe(2);
  });

  it('is not larger than 16 MB, and a store that fails costs only the cursor', async () => {
    const kept = new Map<string, unknown>();
    const large = new Served(() => megabytes(17), max(1_000), { cache: storeOf(kept), secrets });
    expect(cursorOf(await large.call())).toBeUndefined();
    const broken: ResultCache = { get: () => undefined, set: () => Promise.reject(new Error('away')) };
    const served = new Served(() => rows, max(1_000), { cache: broken, secrets });
    const result = await served.call();
    expect(result.isError).toBeUndefined();
    expect(textOf(result)).toContain('Ask for less');
  });

  it('is refused when somebody with access to the store exchanges or changes it', async () => {
    const kept = new Map<string, unknown>();
    const served = new Served(({ n }) => megabytes(Number(n)), max(1_000), { cache: storeOf(kept), secrets });
    const cursor = cursorOf(await served.call({ n: 2 }));
    const [[one, first], [two, second]] = [...kept] as [[string, unknown], [string, unknown]];
    kept.set(one, second).set(two, first);
    expect((await served.call({ n: 2, cursor })).isError).toBe(true);
    kept.set(one, `${String(first).slice(0, -4)}AAAA`).set(two, second);
    expect((await served.call({ n: 2, cursor })).isError).toBe(true);
    kept.set(one, first);
    expect((await served.call({ n: 2, cursor })).isError).toBeUndefined();
  });
});

test('a string, which is data and text, is cut in characters, and its parts are the whole', async () => {
  const whole = '😀ä"\n'.repeat(2_000);
  const served = new Served(() => whole, { ...reads, ...max(3_000), outputSchema: { type: 'string' } });
  const parts = await served.all();
  expect(parts.length).toBeGreaterThan(2);
  expect(parts.map((part) => part.structuredContent).join('')).toBe(whole);
  for (const part of parts) expect(bodyOf(part)).toBe(part.structuredContent);
});

test('a string whose part would not fit its schema is not cut', async () => {
  const outputSchema = { type: 'string', minLength: 5_000 };
  const served = new Served(() => 'a'.repeat(6_000), { ...reads, ...max(3_000), outputSchema });
  expect(textOf(await served.call())).toContain('cannot be cut');
});
