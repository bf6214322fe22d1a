import { join } from 'node:path';
import type { McpServer } from '@toolwright/core';
import type { JsonSchema } from '@toolwright/json';
import { buildManifest, type SchemaDiagnostic } from '@toolwright/schema-compiler';
import { plainToInstance } from 'class-transformer';
import { validate, type ValidationError } from 'class-validator';
import { count } from '../../../.ci/test/support/proof.js';
import { corpus, DtoTools, seen } from './fixtures/dto/src/dto-tools.js';
import { boot } from './support/booting.js';
import { InputGenerator } from './support/generate-inputs.js';
import { StatelessWire } from './wire/stateless-wire.js';

type Input = Record<string, unknown>;

/** The first documented difference: a value that is declared as a date is converted before the check. */
const declaredDates: Record<string, readonly string[]> = {
  datesDto: ['declared'],
  mixedDto: ['at'],
  renamedDto: ['born_at'],
  eventDto: ['ends'],
};

/** The second difference: properties that the type declares without a decorator. */
const undecorated: Record<string, readonly string[]> = {
  undecoratedDto: ['name', 'count'],
  mixedDto: ['note', 'at', 'big'],
  renamedDto: ['secret'],
  eventDto: ['starts'],
};

/** The verdicts of a call and of class-validator on the inputs of one tool. */
interface Verdicts {
  published: number;
  internal: string[];
  wronglyAccepted: string[];
  /** Inputs whose answer is another one where the list shows patterns in words. */
  otherInShort: string[];
  refusedThoughPublished: { input: string; text: string }[];
}

let server: McpServer;
let wire: StatelessWire;
/** The same tools, with the list that servers show by default: in words, without the patterns. */
let inShort: McpServer;
let shortWire: StatelessWire;
let diagnostics: SchemaDiagnostic[];
let schemas: Map<string, JsonSchema>;
const verdicts: Record<string, Verdicts> = {};

beforeAll(async () => {
  const project = join(__dirname, 'fixtures/dto/tsconfig.json');
  const built = await buildManifest({ project, cache: false });
  ({ diagnostics } = built);
  server = await boot({
    services: [DtoTools],
    manifest: () => built.manifest,
    rateLimit: false,
    lists: { patterns: 'all' },
  });
  wire = new StatelessWire(server);
  inShort = await boot({ services: [DtoTools], manifest: () => built.manifest, rateLimit: false });
  shortWire = new StatelessWire(inShort);
  const { result } = await wire.request('tools/list');
  const { tools } = result as { tools: { name: string; inputSchema: JsonSchema }[] };
  schemas = new Map(tools.map(({ name, inputSchema }) => [name, inputSchema]));
  for (const name of Object.keys(corpus)) verdicts[name] = await judge(name);
});

afterAll(async () => {
  await server.close(0);
  await inShort.close(0);
});

const toolsWith = (pick: (found: Verdicts) => readonly unknown[]) =>
  Object.entries(verdicts)
    .filter(([, found]) => pick(found).length > 0)
    .map(([name, found]) => [name, pick(found).slice(0, 3)]);

const sum = (pick: (found: Verdicts) => number) =>
  Object.values(verdicts).reduce((total, found) => total + pick(found), 0);

test('a call accepts nothing that class-validator refuses', () => {
  expect(toolsWith(({ wronglyAccepted }) => wronglyAccepted)).toEqual([]);
});

test('a list in words accepts and refuses the same, in the same words', async () => {
  const { result } = await shortWire.request('tools/list');
  expect(JSON.stringify(result.tools).length).toBeLessThan(JSON.stringify([...schemas.values()]).length);
  expect(toolsWith(({ otherInShort }) => otherInShort)).toEqual([]);
});

test('no input ends in an internal error', () => {
  expect(toolsWith(({ internal }) => internal)).toEqual([]);
});

// Lists have no `not`, and no rule that a host refuses.
test('of the inputs that match the published schemas, at most 10 % are refused', () => {
  const published = sum((found) => found.published);
  expect(published).toBeGreaterThan(4_000);
  expect(sum(({ refusedThoughPublished }) => refusedThoughPublished.length) / published).toBeLessThan(0.1);
});

/**
 * class-validator counts texts with variation selectors as shorter, and refuses host names with more than 63
 * letters in a row.
 */
const unannouncedShare = 0.01;

test('the build warned about everything else that is refused', () => {
  const announced = new Set(
    diagnostics.map(
      ({ message }) => /^(?:[\w.*]+\.)?(\w+)(?:\[\])?(?: \(and \d+ more\))?: /.exec(message)?.[1],
    ),
  );
  const isAnnounced = (text: string) =>
    text.split('\n').some((line) => announced.has(/^- (?:.*\.)?(\w+)(?:\[\d+\])?: /.exec(line)?.[1]));
  const silent = sum(
    ({ refusedThoughPublished }) => refusedThoughPublished.filter(({ text }) => !isAnnounced(text)).length,
  );
  expect(silent / sum((found) => found.published)).toBeLessThan(unannouncedShare);
});

test('what class-validator demands is required, and null is published only where it is accepted', () => {
  expect(schemas.get('demandingDto')).toMatchObject({
    properties: {
      a: { type: 'string' },
      b: { type: 'string', minLength: 1 },
      c: { type: 'number' },
      id: { type: 'number' },
      maybe: { type: 'integer' },
      password: { type: 'string', minLength: 8 },
    },
    required: ['a', 'b', 'c', 'id', 'maybe', 'password'],
  });
  expect(schemas.get('searchDto')!.required).toBeUndefined();
});

test('what class-validator requires only under a condition is not required', () => {
  expect(schemas.get('conditionalDto')!.required).toEqual(['kind', 'parent']);
});

test('rules that are known only at run time are in the first list', () => {
  expect(schemas.get('composedDto')).toMatchObject({
    properties: {
      name: { type: 'string', minLength: 1, maxLength: 10 },
      share: { type: 'integer', minimum: 0, maximum: 100 },
      shares: { type: 'array', items: { type: 'integer', minimum: 0, maximum: 100 } },
    },
    required: ['name', 'share', 'shares'],
  });
  expect(schemas.get('numbersDto')!.properties).toMatchObject({
    computed: { type: 'string', enum: ['name', 'date', 'size'] },
  });
  expect(schemas.get('customDto')!.properties).toMatchObject({
    slug: { type: 'string', pattern: '^[a-z]+$' },
    even: { multipleOf: 2 },
  });
});

test('mapped types require what they require at run time', () => {
  expect(schemas.get('updateUserDto')!.required).toBeUndefined();
  expect(schemas.get('partOfDemandingDto')!.required).toBeUndefined();
  expect(schemas.get('loginDto')!.required).toEqual(['email', 'name']);
  expect(schemas.get('deepDto')!.required).toEqual(['reason']);
});

test('beside @Transform, @Schema describes the JSON form of the value', async () => {
  expect(schemas.get('wireDto')!.properties).toMatchObject({
    tags: { type: 'string' },
    flag: { enum: ['true', 'false'] },
  });
  const { result } = await wire.call('wireDto', { tags: 'a,b', flag: 'true' });
  expect(result.isError).toBeFalsy();
  expect(seen.last).toEqual({ tags: ['a', 'b'], flag: true });
});

test('an error of @Transform is about the argument, and its text is shown if it is a ToolError', async () => {
  const splitting = await wire.call('splittingDto', { tags: ['a'] });
  expect(splitting.result.content[0].text).toBe(
    'Invalid arguments for splittingDto:\n- tags: expected a value that can be read',
  );
  const telling = await wire.call('tellingDto', { address: 'nobody' });
  expect(telling.result.content[0].text).toContain(
    '- address: expected an address with an @ in it, received',
  );
});

test('class-validator sees the JSON form if its checks are for that, and the method gets the declared values', async () => {
  const { result } = await wire.call('wireValuesDto', { tags: ['a'], big: 7, days: ['2020-01-01'] });
  expect(result.isError).toBeFalsy();
  expect(seen.last).toEqual({ tags: new Set(['a']), big: 7n, days: [new Date('2020-01-01')] });
});

test('classes that no module exports are built if @Type or the parameter names them', async () => {
  await wire.call('orderDto', {
    items: [{ sku: 'a', quantity: 1 }],
    note: { text: 'b', link: 'example.com' },
  });
  expect((seen.last as { note: object }).note.constructor.name).toBe('HiddenNote');
  await wire.call('hiddenDto', { url: 'example.com' });
  expect(seen.last!.constructor.name).toBe('HiddenDto');
});

/** Of so many inputs, one is also sent to the server that lists patterns in words. */
const SAMPLED = 4;

const copyOf = (input: Input) => JSON.parse(JSON.stringify(input)) as Input;

async function judge(name: string): Promise<Verdicts> {
  const generator = new InputGenerator(schemas.get(name)!);
  const valid = generator.valid();
  const known = new Set(valid.map((input) => JSON.stringify(input)));
  const others = generator.mutated().filter((input) => !known.has(JSON.stringify(input)));
  const found: Verdicts = {
    published: valid.length,
    internal: [],
    wronglyAccepted: [],
    otherInShort: [],
    refusedThoughPublished: [],
  };
  count('inputs', valid.length + others.length);
  for (const [index, input] of [...valid, ...others].entries()) {
    const heard = JSON.stringify(input);
    const answer = await wire.call(name, copyOf(input));
    const text = (answer.result.content[0]?.text ?? '') as string;
    const accepted = answer.result.isError !== true;
    if (!accepted && !text.startsWith('Invalid arguments')) found.internal.push(`${heard}: ${text}`);
    if (accepted && !(await oracle(name, copyOf(input)))) found.wronglyAccepted.push(heard);
    if (index % SAMPLED === 0) {
      const inWords = await shortWire.call(name, copyOf(input));
      if (JSON.stringify(inWords.result) !== JSON.stringify(answer.result)) found.otherInShort.push(heard);
    }
    if (!accepted && index < valid.length) found.refusedThoughPublished.push({ input: heard, text });
  }
  return found;
}

/**
 * Whether class-validator accepts an input, with the two documented differences. If it throws, that is a
 * refusal.
 */
async function oracle(name: string, input: Input): Promise<boolean> {
  for (const property of declaredDates[name] ?? []) {
    const value = input[property];
    if (typeof value === 'string') input[property] = new Date(value);
  }
  try {
    const instance = plainToInstance(corpus[name]!, input);
    const errors = await validate(instance, { whitelist: true, forbidNonWhitelisted: true });
    return errors.every((error) => isAllowed(error, name));
  } catch {
    return false;
  }
}

function isAllowed({ property, constraints = {}, children, target }: ValidationError, name: string): boolean {
  const [constraint] = Object.keys(constraints);
  if (constraint === 'unknownValue') {
    return Object.keys(target as object).every((key) => undecorated[name]?.includes(key));
  }
  return constraint === 'whitelistValidation' && !children?.length && !!undecorated[name]?.includes(property);
}
