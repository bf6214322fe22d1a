import { createHash } from 'node:crypto';
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
});
