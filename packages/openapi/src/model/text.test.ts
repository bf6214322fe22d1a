import { cutSentences, plainText, wordsOf } from '@toolwright/json';
import { describeArgument, describeOperation } from './text.js';
import { sentType } from './media-types.js';
import { placesOf } from './path-places.js';
import { nameTools } from './tool-names.js';

test('a description without spaces is cut between what a reader sees as characters', () => {
  for (const grapheme of ['😀', '👍🏽', '🇩🇪'])
    for (const longest of [20, 21, 22, 23]) {
      const text = describeArgument(grapheme.repeat(40), longest)!;
      expect(text.length).toBeLessThanOrEqual(longest);
      expect(text.slice(0, -1).replaceAll(grapheme, '')).toBe('');
      expect(text.endsWith('…')).toBe(true);
    }
});

test('markup goes and its words stay', () => {
  const text = '# Pets\n\n- a **bold** [link](https://x.example/a_(b)) <b class="x">and</b> `code` &lt;3';
  expect(plainText(text)).toBe('Pets a bold link and code <3');
});

test('of a long text the first sentences that fit stay', () => {
  expect(cutSentences('One. Two of v1.2 here. Three is too long.', 25)).toBe('One. Two of v1.2 here.');
  expect(cutSentences('A text without an end', 10)).toBe('A text…');
});

test('words begin with capitals, and abbreviations are words', () => {
  expect(wordsOf('listHTTPServersOfA')).toEqual(['list', 'http', 'servers', 'of', 'a']);
});

// Each took from seconds to minutes. Jest ends a test that takes as long again.
const slow = [
  '<a',
  '[',
  '[a](',
  '[a](()',
  '\n',
  ' \n',
  '.',
  '. ',
  'a.',
  'A',
  'a',
  '```',
  '```a',
  '- ',
  '!',
  '&lt;',
  '> \n',
  '…',
];
test.each(slow)('a description of 200 kB of %j is read', (part) => {
  const text = part.repeat(200_000 / part.length);
  for (const each of [text, `${text}x`, `x ${text}`]) {
    expect(describeOperation(each, each, 240).length).toBeLessThan(250);
    expect(describeArgument(each, 120)?.length ?? 0).toBeLessThan(130);
    expect(wordsOf(each).length).toBeLessThanOrEqual(each.length);
  }
});

test('names, paths and media types of 100 kB are read', () => {
  const named = (path: string, operationId?: string) => {
    const operation = operationId === undefined ? {} : { operationId };
    return [...nameTools([{ key: 'k', method: 'GET', path, operation, returnsList: false }]).values()][0]!;
  };
  for (const part of ['{', '{a', 'a-', 'aB', 'a/', '{a}'])
    for (const each of [part.repeat(100_000 / part.length), `${part.repeat(100_000 / part.length)}}`]) {
      expect(named(`/${each}`).length).toBeLessThanOrEqual(64);
      expect(named('/a', each).length).toBeLessThanOrEqual(64);
    }
  expect(sentType(`text/a${' '.repeat(100_000)}b`, 'text')).toContain('text/a');
  const [place] = placesOf(`/{name=${'**/a/'.repeat(20)}**}`);
  expect(place!.accepts(`${'b/a/'.repeat(5_000)}!`)).toBe(true);
});

test('a name that is too long loses words from its middle', () => {
  const operation = {
    operationId: 'list-one-two-three-four-five-six-seven-eight-nine-ten-eleven-twelve-pets',
  };
  const names = nameTools([{ key: 'k', method: 'GET', path: '/a', operation, returnsList: true }]);
  expect(names.get('k')).toBe('list_one_two_three_four_five_eight_nine_ten_eleven_twelve_pets');
});
