import { join } from 'node:path';
import type { McpServer } from '@toolwright/core';
import { buildManifest } from '@toolwright/schema-compiler';
import { plainToInstance } from 'class-transformer';
import { validate } from 'class-validator';
import { MessageTools, SignUpDto } from '../fixtures/messages/src/message-tools.js';
import { boot } from '../support/booting.js';
import { StatelessWire } from '../wire/stateless-wire.js';

let server: McpServer;
let wire: StatelessWire;

beforeAll(async () => {
  const project = join(__dirname, '../fixtures/messages/tsconfig.json');
  const { manifest } = await buildManifest({ project, cache: false });
  server = await boot({ services: [MessageTools], manifest: () => manifest });
  wire = new StatelessWire(server);
});

afterAll(() => server.close(0));

async function heard(tool: string, args: object): Promise<string[]> {
  const { result } = await wire.call(tool, JSON.parse(JSON.stringify(args)) as Record<string, unknown>);
  const [, ...lines] = (result.content[0].text as string).split('\n');
  return lines;
}

const valid = { password: 'long enough', name: 'ann', code: null };

test.each([
  [{ password: 'abc' }, '- password: Password needs 8 characters. Received the string "abc"'],
  [{ password: 5 }, '- password: Password needs 8 characters. Received the number 5'],
  [{ password: undefined }, '- password: Password needs 8 characters.'],
  [{ name: 'a' }, '- name: name of SignUpDto takes 2 to 5 characters, received the string "a"'],
  [{ colour: 'blue' }, '- colour: One of red, green, please, received the string "blue"'],
  [{ tags: 'a' }, '- tags: Each tag is a word, received the string "a"'],
  [{ tags: ['ab', 'a'] }, '- tags[1]: Tags have two letters, received the string "a"'],
  [{ age: 1.5 }, '- age: Whole years, please, received the number 1.5'],
  [{ shoes: 3 }, '- shoes: Pairs, please, received the number 3'],
  [{ born: 'soon' }, '- born: Which day?'],
  [{ nick_name: 'a' }, '- nick_name: Nicks have three letters, received the string "a"'],
  [{ city: ' a ' }, '- city: Cities have three letters, received the string " a "'],
  [{ code: 'a' }, '- code: Codes have four letters, received the string "a"'],
  [{ lines: [{ sku: 'a', quantity: 1 }] }, '- lines[0].sku: Write sku in capitals, not a'],
  [{ lines: [{ sku: 'A', quantity: 0 }] }, '- lines[0].quantity: 0 pieces are fewer than 1'],
])('for %j the caller gets the message of the decorator', async (input, line) => {
  const lines = await heard('signUp', { ...valid, ...input });
  expect(lines).toContainEqual(expect.stringContaining(line));
  // Nothing about it is reported twice.
  const path = line.slice(0, line.indexOf(':') + 1);
  expect(lines.filter((each) => each.startsWith(path) && /expected|required/.test(each))).toEqual([]);
});

test('rules that only the schema has are reported in its words', async () => {
  expect(await heard('signUp', { ...valid, name: 'ANN' })).toEqual([
    '- name: expected text that matches ^[a-z]*$, received the string "ANN"',
  ]);
  expect(await heard('signUp', { ...valid, other: 1 })).toEqual([
    expect.stringContaining('- other: not a known property'),
  ]);
});

test('if a message cannot be created, the words of the schema are used', async () => {
  expect(await heard('signUp', { ...valid, age: 200 })).toEqual([
    '- age: expected a number, at most 150, received the number 200',
  ]);
});

test('a class in a separate parameter also has its messages', async () => {
  expect(await heard('signUpTwice', { dto: { ...valid, password: 'abc' }, again: 'x' })).toEqual([
    '- dto.password: Password needs 8 characters. Received the string "abc"',
  ]);
});

test('for a sensitive value, the message must not be able to repeat it', async () => {
  expect(await heard('keep', { pin: 'abc', password: 'def' })).toEqual([
    '- pin: expected at least 8 characters',
    '- password: Passwords have 8 characters',
  ]);
});

test('the messages are those of class-validator', async () => {
  const inputs = [
    { password: 'abc' },
    { name: 'abcdefg' },
    { colour: 'blue' },
    { tags: ['a'] },
    { city: ' a ' },
    { code: 'a' },
    { lines: [{ sku: 'a', quantity: 1 }] },
    { lines: [{ sku: 'A', quantity: 0 }] },
  ];
  for (const input of inputs) {
    const messages = await messagesOf({ ...valid, ...input });
    const lines = await heard('signUp', { ...valid, ...input });
    expect(messages).toHaveLength(1);
    expect(lines).toEqual([expect.stringContaining(messages[0]!)]);
  }
});

async function messagesOf(input: object): Promise<string[]> {
  const texts: string[] = [];
  const collect = (errors: Awaited<ReturnType<typeof validate>>): void => {
    for (const { constraints = {}, children = [] } of errors) {
      texts.push(...Object.values(constraints));
      collect(children);
    }
  };
  collect(await validate(plainToInstance(SignUpDto, input)));
  return texts;
}
