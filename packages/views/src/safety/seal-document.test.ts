import { createHash } from 'node:crypto';
import { type DefaultTreeAdapterTypes, parse, serializeOuter } from 'parse5';
import { sealDocument } from './seal-document.js';

const hash = (text: string) => `'sha256-${createHash('sha256').update(text).digest('base64')}'`;
const policyOf = (html: string) => /content="([^"]*)"/.exec(html)?.[1];

describe('a sealed document', () => {
  it('runs its own inline scripts, and no other', () => {
    const sealed = sealDocument(
      '<!doctype html><head><title>A</title></head><script>one()</script><script type="module">\r\ntwo()</script>',
    );
    expect(policyOf(sealed)).toBe(
      `script-src ${hash('one()')} ${hash('\ntwo()')}; object-src 'none'; base-uri 'none'`,
    );
    expect(sealed).toMatch(/<head><meta http-equiv="Content-Security-Policy"[^>]*><title>/);
  });

  it('loads scripts of the origins that it names', () => {
    const sealed = sealDocument('<!doctype html><script src="https://cdn.test/a.js"></script>', {
      scriptOrigins: ['https://cdn.test'],
    });
    expect(policyOf(sealed)).toContain('script-src https://cdn.test;');
  });

  it('runs nothing if it has no script', () => {
    expect(sealDocument('<p>hello')).toMatch(/^<meta [^>]*script-src 'none'[^>]*><p>hello$/);
    expect(sealDocument('<!doctype html>\n<p>')).toMatch(/^<!doctype html><meta /);
  });

  it.each([
    ['in a comment', '<!doctype html><!-- <head> --><script>one()</script>'],
    ['in a comment before the doctype', '<!-- <head> --><!doctype html><p>'],
    ['in a title', '<!doctype html><title><head></title><p>'],
    ['in a script', '<!doctype html><script>"<head>"</script>'],
    ['in an attribute', '<!doctype html><html data-a="<head>"><p>'],
    ['in a template', '<!doctype html><template><head></template><script>one()</script>'],
    ['behind a script', '<!doctype html><script>one()</script><head><title>x</title>'],
    ['in a picture', '<!doctype html><svg><head></svg>'],
    ['with attributes that have a ">"', '<!doctype html><head data-a="1>2"><title>x</title>'],
    ['that is a header', '<!doctype html><header>x</header>'],
    ['twice', '<!doctype html><head></head><head>'],
    ['of frames', '<!doctype html><frameset><frame></frameset>'],
    ['behind a byte order mark', '\ufeff<!doctype html><p>'],
    ['behind a doctype with quotes', '<!DOCTYPE html PUBLIC "-//W3C//DTD XHTML 1.0 Strict//EN" "x"><p>'],
    ['behind what is no doctype', '<?xml version="1.0"?><p>'],
    ['of a page that never ends', '<!doctype html><plaintext><head>'],
    ['of nothing', ''],
  ])('has its policy before everything else in the real head: %s', (_, html) => {
    const sealed = sealDocument(html);
    const [policy, others] = [firstOf(sealed), firstOf(html)];
    expect(policy).toMatch(/^<meta http-equiv="Content-Security-Policy"/);
    expect(others).not.toBe(policy);
    expect(parse(sealed).mode).toBe(parse(html.replace('\ufeff', '')).mode);
  });

  it.each([
    ['with a ">" in an attribute', '<script data-a="1>2">one()</script>', ['one()']],
    [
      'with tags in a string',
      '<script>"<!-- <script>"; "</script>"; -->"</script>',
      ['"<!-- <script>"; "</script>"; -->"'],
    ],
    ['in a comment', '<!-- <script>no()</script> -->', []],
    ['in a text of styles', '<style><script>no()</script></style>', []],
    ['in a template', '<template><script>one()</script></template>', ['one()']],
    ['in a picture', '<svg><script>one()</script><script href="a.js"></script></svg>', ['one()']],
    ['that are loaded', '<script/src=a.js></script><script data-src="a">one()</script>', ['one()']],
    ['with the characters of their texts', '<script>"&amp;\r\n\0"</script>', ['"&amp;\n\ufffd"']],
  ])('runs the scripts that a browser finds: %s', (_, html, scripts) => {
    const sources = scripts.length > 0 ? scripts.map(hash).join(' ') : "'none'";
    expect(policyOf(sealDocument(`<!doctype html><body>${html}`))).toMatch(
      new RegExp(`^script-src ${sources.replaceAll(/[+/]/g, '\\$&')};`),
    );
  });

  it('has no limit for tags beside each other, nor for tags that a parser closes', () => {
    for (const html of ['<div></div>', '<p>', '<li>', '<br>', '<b><p></b>'].map((tags) => tags.repeat(900)))
      expect(policyOf(sealDocument(`<!doctype html>${html}<script>one()</script>`))).toContain(hash('one()'));
    expect(policyOf(sealDocument(`${'<p>'.repeat(5_000)}<script>one()</script>`))).toContain(hash('one()'));
    expect(policyOf(sealDocument(`${'<i>'.repeat(900)}<script>one()</script>`))).toContain(hash('one()'));
  });

  it.each(['<div>', '<template>', '<svg><g>', '<table><td>', '<i>'])(
    'is refused where tags like %s stand within each other without end',
    (tag) => {
      expect(() => sealDocument(`${tag.repeat(20_000)}<script>one()</script>`)).toThrow(
        'This page has more than 1000 tags within each other. Close the tags that it opens.',
      );
    },
  );

  it.each(['<!doctype', '<!doctype html', '<!DOCTYPE html PUBLIC "x', '<!-- --> <!doctype'])(
    'is refused where a policy would not count, because a tag at its beginning never ends: %s',
    (html) => expect(() => sealDocument(html)).toThrow('has no place for a policy'),
  );

  it('is refused where an origin would say something else', () => {
    for (const origin of [
      "https://a.test; script-src 'unsafe-inline'",
      'https://a.test" x="',
      '',
      "'unsafe-inline'",
    ])
      expect(() => sealDocument('<p>', { scriptOrigins: [origin] })).toThrow('is no origin of scripts');
  });
});

/** The first element of the head, as it is written. */
function firstOf(html: string): string | undefined {
  const root = parse(html).childNodes.find((node) => 'tagName' in node)!;
  const head = root.childNodes.find((node) => node.nodeName === 'head') as DefaultTreeAdapterTypes.Element;
  const first = head.childNodes.find((node) => 'tagName' in node);
  return first && serializeOuter(first);
}
