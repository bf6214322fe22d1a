import { cutText } from './cut-text.js';
import { texts } from '../../../http/test/support/foreign-texts.js';
import { isWellFormed } from './well-formed.js';

const scotland = '\u{1f3f4}\u{e0067}\u{e0062}\u{e0073}\u{e0063}\u{e0074}\u{e007f}';
const graphemes = ['😀', '👍🏽', '👩‍👩‍👧', '👩🏽‍❤️‍💋‍👨🏽', '🇩🇪', scotland, 'e\u0301', '각', 'நி', '1️⃣', '\r\n', 'é', 'x'];

test.each(graphemes)('%j is never cut, wherever the cut is', (grapheme) => {
  for (const text of [grapheme.repeat(40), `x${grapheme.repeat(40)}`, `ab${grapheme}c${grapheme}d`]) {
    const parts = [...new Intl.Segmenter().segment(text)].map(({ segment }) => segment);
    for (let most = 0; most < text.length; most++) {
      const cut = cutText(text, most, '…').slice(0, -1);
      let whole = '';
      for (const part of parts) {
        if (whole.length + part.length > most) break;
        whole += part;
      }
      expect(cut).toBe(whole);
    }
  }
});

test('a text that is short enough is the same text, without the mark', () => {
  expect(cutText('😀', 2, '…')).toBe('😀');
  expect(cutText('ab', 1)).toBe('a');
});

test('endless marks on one letter are cut, and pairs among them are not', () => {
  for (const mark of ['\u0301', '\u{e0101}']) {
    for (const most of [500, 501]) {
      const cut = cutText(`e${mark.repeat(1_000)}`, most);
      expect(isWellFormed(cut)).toBe(true);
      expect(most - cut.length).toBeLessThan(2);
    }
  }
});

test('texts of others are cut where a character of theirs ends, wherever the cut is', () => {
  const segmenter = new Intl.Segmenter();
  for (const text of texts.filter(({ length }) => length < 60)) {
    const ends = [...segmenter.segment(text)].map(({ index, segment }) => index + segment.length);
    for (let most = 1; most < text.length; most++)
      expect(cutText(text, most).length).toBe(ends.findLast((end) => end <= most) ?? 0);
  }
});
