import type { Elicitation } from '@toolwright/client';
import { writeJson } from '@toolwright/json';
import { askPerson } from './ask-person.js';

/** Answers the questions in order, and records what was printed. */
async function answer(question: Elicitation, ...answers: string[]) {
  const said: string[] = [];
  const result = await askPerson(question, {
    columns: 80,
    err: (text) => void said.push(text),
    ask: (text) => {
      said.push(text);
      return Promise.resolve(answers.shift() ?? '');
    },
  });
  return { result, said };
}

const form = (properties: Record<string, unknown>, required: string[] = []): Elicitation => ({
  message: 'Who are you?',
  requestedSchema: { type: 'object', properties, required },
});

test('every field is asked for, and read as a value of its type', async () => {
  const question = form({
    name: { type: 'string', title: 'Your name' },
    age: { type: 'integer' },
    member: { type: 'boolean' },
    colours: { type: 'array', items: { type: 'string', enum: ['red', 'blue'] } },
  });
  const { result, said } = await answer(question, 'Ann', '40', 'y', 'red, blue');
  expect(result).toEqual({
    action: 'accept',
    content: { name: 'Ann', age: 40, member: true, colours: ['red', 'blue'] },
  });
  expect(said).toEqual([
    'The server asks:',
    '│ Who are you?',
    'Your name: ',
    'age: ',
    'member (y/n): ',
    'colours (red/blue): ',
  ]);
});

test('a field for a number is asked again until it gets one', async () => {
  const question = form({ age: { type: 'integer' }, share: { type: 'number' } });
  const { result, said } = await answer(question, 'abc', '5.5', ' ', '40', '1e400', '0.5');
  expect(result).toEqual({ action: 'accept', content: { age: 40, share: 0.5 } });
  expect(said.filter((line) => line.startsWith('This takes'))).toEqual([
    ...Array.from({ length: 3 }, () => 'This takes a whole number.'),
    'This takes a number.',
  ]);
});

test.each([
  ['9223372036854775807', '9223372036854775807'],
  ['-9007199254740993', '-9007199254740993'],
  ['1e3', '1000'],
  ['+5', '5'],
])('the whole number %s is sent with all of its digits', async (text, digits) => {
  const { result } = await answer(form({ id: { type: 'integer' } }), text);
  expect(writeJson(result.content)).toBe(`{"id":${digits}}`);
});

test('a number that would lose digits is asked for again', async () => {
  const { result, said } = await answer(form({ share: { type: 'number' } }), '9007199254740993', '.5');
  expect(result.content).toEqual({ share: 0.5 });
  expect(said).toContain('This takes a number, and none has all of these digits.');
});

test('an empty answer uses the default, or leaves the field out', async () => {
  const question = form({
    size: { oneOf: [{ const: 's' }, { const: 'm' }], default: 'm' },
    note: { type: 'string' },
  });
  const { result, said } = await answer(question);
  expect(result).toEqual({ action: 'accept', content: { size: 'm' } });
  expect(said[2]).toBe('size (s/m, default m): ');
});

test('an empty answer to a required field cancels', async () => {
  expect((await answer(form({ name: { type: 'string' } }, ['name']))).result).toEqual({ action: 'cancel' });
});

test('a question without fields gets yes or no', async () => {
  expect((await answer(form({}), 'y')).result).toEqual({ action: 'accept', content: {} });
  expect((await answer(form({}), '')).result).toEqual({ action: 'decline' });
});

test('a page to open is shown and confirmed', async () => {
  const question: Elicitation = { mode: 'url', message: 'Sign in.', url: 'https://example.com/a' };
  const { result, said } = await answer(question, 'yes');
  expect(result).toEqual({ action: 'accept' });
  expect(said).toEqual([
    'The server asks:',
    '│ Sign in.',
    'Open this page at example.com:',
    'https://example.com/a',
    'Done? [y/N] ',
  ]);
});

test('the address of a page is one line, however long it is', async () => {
  const url = `https://example.com/${'approvals/'.repeat(30)}`;
  const { said } = await answer({ mode: 'url', message: 'Approve.', url });
  expect(said).toContain(url);
});

test('an address cannot pretend to be a line of the command', async () => {
  const { said } = await answer({ mode: 'url', message: 'Open.', url: 'https://a.example/\n\u001b[2JDone' });
  expect(said.join('').includes('\u001b')).toBe(false);
  expect(said.every((line) => !line.includes('\n'))).toBe(true);
});

test.each([
  ['https://good.example@evil.example/', 'evil.example'],
  ['https://раураl.example/', 'xn--l-7sba6dbr.example'],
])('the host of the page %s is %s', async (url, host) => {
  const { said } = await answer({ mode: 'url', message: 'Sign in.', url });
  expect(said).toContain(`Open this page at ${host}:`);
});

test('a URL that is no web page is not opened', async () => {
  const question: Elicitation = { mode: 'url', message: 'Sign in.', url: 'file:///etc/passwd' };
  const { result, said } = await answer(question, 'yes');
  expect(result).toEqual({ action: 'decline' });
  expect(said).not.toContain('Done? [y/N] ');
});

test('a field named __proto__ is an ordinary field', async () => {
  const properties = Object.fromEntries([['__proto__', { type: 'string' }]]);
  const { result } = await answer(form(properties), 'text');
  expect(Object.entries(result.content!)).toEqual([['__proto__', 'text']]);
});
