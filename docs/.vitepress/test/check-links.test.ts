import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { temporaryFolder } from '../../../.ci/test/support/temporary-folder.js';
import { brokenLinks } from '../build/check-links.js';

const folder = temporaryFolder();
const write = (name: string, html: string) => writeFileSync(join(folder, name), html);

test('links to files and elements that exist are fine, and those to other sites are not looked at', () => {
  write('index.html', '<h1 id="top">Hello</h1> <a href="#top">up</a> <a href="/">home</a>');
  write('page.html', '<a href="/#top">up</a> <a href="https://example.com/x">out</a> <img src="/a.svg">');
  write('a.svg', '<svg/>');
  expect(brokenLinks(folder, '/')).toEqual([]);
});

test('a missing page, a missing anchor and a missing picture are found', () => {
  write('index.html', '<a href="/gone">a</a> <a href="#gone">b</a> <img src="/gone.png">');
  write('page.html', '<a href="/#gone">c</a>');
  expect(brokenLinks(folder, '/').sort()).toEqual([
    'index.html: /gone',
    'index.html: /gone.png',
    'index.html: /index.html#gone',
    'page.html: /#gone',
  ]);
});

test('a link to a page that was left out is fine, and one to a page that never was is not', () => {
  write('index.html', '<a href="/adr/0001-one#why">a</a> <a href="/adr/0002-two">b</a>');
  write('page.html', '');
  expect(brokenLinks(folder, '/', new Set(['adr/0001-one.md']))).toEqual(['index.html: /adr/0002-two']);
});

test('a picture without an address is found', () => {
  write('index.html', '<img alt="gone"> <img src="" alt="empty"> <img alt="ok" src="/a.svg">');
  write('page.html', '');
  expect(brokenLinks(folder, '/')).toEqual([
    'index.html: <img alt="gone">',
    'index.html: <img src="" alt="empty">',
  ]);
});

test('a link that leaves the folder of its version is found', () => {
  write('index.html', '<a href="/0.1/">ok</a> <a href="/page">not ok</a>');
  write('page.html', '');
  expect(brokenLinks(folder, '/0.1/')).toEqual(['index.html: /page']);
});
