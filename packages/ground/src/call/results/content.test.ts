import type { ContentBlock } from '../../base/content.js';
import { blockCloser, embedded, image, resourceLink, text } from './content.js';

const meta = { _meta: { own: { anything: 1 } } };
const annotations = { audience: ['user' as const], priority: 1, lastModified: '2026-07-28T12:00:00Z' };
const sound: ContentBlock[] = [
  text('a', { annotations, ...meta }),
  image('AA==', 'image/png', { annotations, ...meta }),
  { type: 'audio', data: 'AA==', mimeType: 'audio/wav', annotations, ...meta },
  resourceLink({
    uri: 'a:b',
    name: 'n',
    title: 't',
    description: 'd',
    mimeType: 'text/plain',
    size: 1,
    icons: [{ src: 's', mimeType: 'image/png', sizes: ['16x16'], theme: 'dark' }],
    annotations,
    ...meta,
  }),
  embedded({ uri: 'a:b', mimeType: 'text/plain', text: 'x', ...meta }, { annotations, ...meta }),
];

test.each(['drop', 'keep', 'refuse'] as const)('valid blocks stay the same objects: %s', (way) => {
  const closed = blockCloser(way)(sound);
  expect(closed).toEqual(sound);
  expect(closed.every((block, index) => block === sound[index])).toBe(true);
});

const secret = { passwordHash: 'x' };
const rows = [
  [
    { type: 'text', text: 'a', ...secret, ...meta },
    { type: 'text', text: 'a', ...meta },
    'content[0] has "passwordHash"',
  ],
  [
    { type: 'image', data: 'AA==', mimeType: 'i', annotations: { ...annotations, ...secret } },
    { type: 'image', data: 'AA==', mimeType: 'i', annotations },
    'content[0].annotations has "passwordHash"',
  ],
  [
    { type: 'resource_link', uri: 'a:b', name: 'n', icons: [{ src: 's' }, { src: 't', ...secret }] },
    { type: 'resource_link', uri: 'a:b', name: 'n', icons: [{ src: 's' }, { src: 't' }] },
    'content[0].icons has "passwordHash"',
  ],
  [
    { type: 'resource', resource: { uri: 'a:b', text: 'x', ...secret, ...meta } },
    { type: 'resource', resource: { uri: 'a:b', text: 'x', ...meta } },
    'content[0].resource has "passwordHash"',
  ],
] as unknown as [ContentBlock, ContentBlock, string][];

test.each(rows)('%j loses, keeps or is refused for undeclared members', (block, left, problem) => {
  const given = JSON.stringify(block);
  expect(blockCloser('drop')([text('first'), block])).toEqual([text('first'), left]);
  expect(blockCloser('keep')([block])).toEqual([block]);
  expect(() => blockCloser('refuse')([block])).toThrow(problem);
  // The object that the method returned is not changed.
  expect(JSON.stringify(block)).toBe(given);
});

test('removed members are not read', () => {
  const block = {
    type: 'text' as const,
    text: 'a',
    get row(): never {
      throw new Error('a relation was loaded');
    },
  };
  expect(blockCloser('drop')([block])).toEqual([{ type: 'text', text: 'a' }]);
});

test('a block of an unknown kind stays as it is', () => {
  const block = { type: 'video', data: 'AA==' } as unknown as ContentBlock;
  expect(blockCloser('drop')([block])).toEqual([block]);
});
