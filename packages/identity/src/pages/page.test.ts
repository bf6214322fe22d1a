import { diagnosisText } from '../doctor/diagnosis.js';
import { attribute, safe, safeName } from './page.js';

test('a page shows the characters with which a program hides what it is, and keeps lines and joiners', () => {
  expect(safe('a\u202eb\u2066c\u200bd\u0007e\u{e0041}')).toBe(
    'a\\u{202e}b\\u{2066}c\\u{200b}d\\u{7}e\\u{e0041}',
  );
  expect(safe('<b>\n\tمی\u200cخواهم')).toBe('&#60;b&#62;\n\tمی\u200cخواهم');
});

test.each(['', ' ', '\u00a0', '\u3000\u2003', '\u2800', ' \u2800\n\t', undefined])(
  'a program whose name %j nobody would see is shown with its id',
  (name) => {
    expect(safeName(name, 'abc')).toBe('abc');
  },
);

test('the name of a program has one line, and nothing is piled up on it', () => {
  expect(safeName('Zoe\u0308 \u2800x', 'abc')).toBe('Zoe\u0308 \u2800x');
  expect(safeName('x\r\nSet-Cookie: a', 'abc')).toBe('x\\u{d}\\u{a}Set-Cookie: a');
  expect(safeName(`a${'\u0301'.repeat(30)}`, 'abc')).toBe(`a${'\u0301'.repeat(4)}${'\\u{301}'.repeat(26)}`);
  expect(safeName('\u0301a', 'abc')).toBe('\\u{301}a');
});

test('nothing that a server says moves the cursor of whoever reads a diagnosis', () => {
  const text = diagnosisText({
    url: 'https://mcp.example.com/mcp',
    steps: [
      {
        step: 'metadata',
        outcome: 'failed',
        at: 0,
        ms: 1,
        exchanges: [],
        notes: ['resource https://x.example/\u001b[2J', 'issuer https://y.example/\n  What to do: nothing'],
      },
    ],
    failure: {
      code: 'metadata-relative',
      step: 'metadata',
      responsible: 'server',
      advice: 'Repair it.',
      problem: 'The challenge names resource_metadata="\u009b2J\r".',
    },
    isSignedIn: false,
  });
  expect(text).not.toMatch(/[^\P{C}\n]/u);
  expect(text.split('\n').filter((line) => line.includes('What to do'))).toHaveLength(2);
  expect(text).toContain('\\u{a}  What to do: nothing');
});

test('the value of an attribute comes back as it was, and nothing in it ends the attribute', () => {
  const text = `a\u200b\u{e0041}\u00ad"'<b>&#x27;&amp;\r\n\t`;
  const html = attribute(text);
  expect(html).not.toMatch(/["'<>]/);
  const read = html.replace(/&#(\d+);/g, (_, code: string) => String.fromCharCode(Number(code)));
  expect(read).toBe(text);
});
