import { Spaces } from './spaces.js';
import { VisibleTools } from './visible-tools.js';

test('nothing is remembered of words that no tool has: callers have no end of them', () => {
  const asked: string[] = [];
  const namedBy = new (class extends Map<string, readonly string[]> {
    override has(word: string): boolean {
      asked.push(word);
      return super.has(word);
    }
  })();
  const names = { documents: [], first: new Map(), origins: new Map(), namedBy, having: () => [] };
  const spaces = new Spaces(names, VisibleTools.everything(0));
  for (let time = 0; time < 2; time++) expect(spaces.namedBy(['nosuch', 'word'])).toBeUndefined();
  expect(asked).toEqual(['nosuch', 'word', 'nosuch', 'word']);
});
