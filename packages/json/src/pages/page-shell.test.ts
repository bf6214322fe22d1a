import fc from 'fast-check';
import { contrastOf, ENOUGH_CONTRAST } from './colors.js';
import { isLogo, PageShell, problemOfColor } from './page-shell.js';

const color = fc
  .tuple(fc.nat(255), fc.nat(255), fc.nat(255))
  .map((parts) => `#${parts.map((part) => part.toString(16).padStart(2, '0')).join('')}`);

const pageWith = (brand: ConstructorParameters<typeof PageShell>[0]) =>
  new PageShell(brand).write({ title: 'A page', body: '<h1>A page</h1>' });

/** The colors of a page, first in light and then in dark. */
const colorsOf = (html: string) =>
  [...html.matchAll(/:root\{([^}]*)\}/g)].map(([, rules]) =>
    Object.fromEntries(
      [...rules!.matchAll(/--([\w-]+):(#\w{6})/g)].map(([, name, value]) => [name!, value!]),
    ),
  );

const readable: [text: string, on: string][] = [
  ['text', 'page'],
  ['text', 'box'],
  ['soft', 'page'],
  ['soft', 'box'],
  ['accent', 'page'],
  ['on-accent', 'accent'],
  ['danger', 'page'],
];

test('whatever color a brand may have, all texts can be read in light and in dark', () => {
  fc.assert(
    fc.property(color, (chosen) => {
      fc.pre(problemOfColor(chosen) === undefined);
      for (const colors of colorsOf(pageWith({ color: chosen })))
        for (const [text, on] of readable)
          expect([text, contrastOf(colors[text]!, colors[on]!) >= ENOUGH_CONTRAST]).toEqual([text, true]);
    }),
  );
});

test('for a color that nobody can read, the nearest darker one is named, and that one may be used', () => {
  fc.assert(
    fc.property(color, (chosen) => {
      const problem = problemOfColor(chosen);
      fc.pre(problem !== undefined);
      const [, better] = /"(#[\da-f]{6})" is the nearest/.exec(problem!) ?? [];
      expect(problemOfColor(better!)).toBeUndefined();
    }),
  );
});

test('a name and a logo stay what they are, whatever they contain', () => {
  const html = pageWith({
    name: '<b>"Acme"</b>',
    logo: 'https://cdn.example.com/a.svg?x="><script>alert(1)</script>',
  });
  expect(html).not.toMatch(/<script|<b>/);
  expect(html).toContain('&#60;b&#62;');
});

test.each(['javascript:alert(1)', 'http://example.com/logo.png', '/logo.png', 'https://', ''])(
  '%j is not the address of a logo',
  (url) => expect(isLogo(url)).toBe(false),
);
