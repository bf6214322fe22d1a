import { describeArgument } from './text.js';

test('a description without spaces is cut between what a reader sees as characters', () => {
  for (const grapheme of ['😀', '👍🏽', '🇩🇪'])
    for (const longest of [20, 21, 22, 23]) {
      const text = describeArgument(grapheme.repeat(40), longest)!;
      expect(text.length).toBeLessThanOrEqual(longest);
      expect(text.slice(0, -1).replaceAll(grapheme, '')).toBe('');
      expect(text.endsWith('…')).toBe(true);
    }
});
