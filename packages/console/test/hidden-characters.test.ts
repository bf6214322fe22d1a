import { renderToStaticMarkup } from 'react-dom/server';
import { Fragment, jsx, jsxs } from '../web/src/ui/shown/jsx-runtime.js';

/** What hides in a text, and how a page must show it. */
const hiding: readonly [text: string, shown: string][] = [
  ['\u{e0100}', '\\u{e0100}'],
  ['\u00ad', '\\u{ad}'],
  ['\u2064', '\\u{2064}'],
  ['\u200b', '\\u{200b}'],
  ['\u202e', '\\u{202e}'],
  ['\u{e0041}', '\\u{e0041}'],
];

const Row = ({ name }: { name: string }) => jsxs('li', { title: name, children: ['The tool ', name] });

test.each(hiding)('%j is written out wherever the page shows it', (text, shown) => {
  const name = `a${text}b`;
  const html = renderToStaticMarkup(
    jsxs(Fragment, {
      children: [name, jsx(Row, { name }), jsx('b', { 'aria-label': name, children: name })],
    }),
  );
  expect(html).toBe(
    `a${shown}b<li title="a${shown}b">The tool a${shown}b</li><b aria-label="a${shown}b">a${shown}b</b>`,
  );
});

test('lists of children, flags, line ends and emoji are shown as they are', () => {
  const text = 'می\u200cخواهم 🏴󠁧󠁢󠁥󠁮󠁧󠁿 👩‍💻\n\tx';
  expect(renderToStaticMarkup(jsx('pre', { children: [text, 7, null, [text]] }))).toBe(
    `<pre>${text}7${text}</pre>`,
  );
});

test('the value of a field is what it was, also where an option has none but its text', () => {
  const option = jsx('option', { children: 'a\u200bb' });
  expect(option.props).toEqual({ value: 'a\u200bb', children: 'a\\u{200b}b' });
  const field = jsx('input', { defaultValue: 'a\u200bb', placeholder: 'a\u200bb' });
  expect(field.props).toEqual({ defaultValue: 'a\u200bb', placeholder: 'a\\u{200b}b' });
});
