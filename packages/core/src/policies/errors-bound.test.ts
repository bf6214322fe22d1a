import { boundError, boundText } from './errors.js';

const image = { type: 'image' as const, data: 'A'.repeat(100), mimeType: 'image/png' };

it('does not change a small error', () => {
  const error = { content: [{ type: 'text' as const, text: 'No.' }], isError: true, _meta: { a: 1 } };
  expect(boundError(error, 20)).toBe(error);
});

it('keeps the beginning of an error', () => {
  const { content } = boundError({ content: [{ type: 'text', text: 'x'.repeat(500) }], isError: true }, 50);
  expect(content).toEqual([{ type: 'text', text: `${'x'.repeat(40)} … [cut]` }]);
});

it('counts everything in the result', () => {
  const text = { type: 'text' as const, text: 'Sold out.' };
  const large = { content: [text, image, text], structuredContent: image, isError: true };
  expect(boundError(large, 50)).toEqual({ content: [text, text], isError: true });
});

it('keeps data for programs if it is short', () => {
  const content = [{ type: 'text' as const, text: 'x'.repeat(500) }];
  const waits = boundError({ content, isError: true, _meta: { retryAfterMs: 5 } }, 50);
  expect(waits._meta).toEqual({ retryAfterMs: 5 });
  expect(Buffer.byteLength(JSON.stringify(waits._meta) + (waits.content[0] as { text: string }).text)).toBe(
    50,
  );
  expect(boundError({ content, isError: true, _meta: { log: 'y'.repeat(500) } }, 50)).not.toHaveProperty(
    '_meta',
  );
});

it.each([1, 2, 3, 11, 12, 13, 14, 15])('never cuts a character in half: %i bytes', (limit) => {
  const text = boundText('äöüß'.repeat(10), limit);
  expect(Buffer.byteLength(text)).toBeLessThanOrEqual(limit);
  expect(text).not.toContain('\ufffd');
});
