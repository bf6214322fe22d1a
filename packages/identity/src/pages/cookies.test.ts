import { IncomingMessage, ServerResponse } from 'node:http';
import { Socket } from 'node:net';
import { SealedCookies } from './cookies.js';

const secrets = ['a secret of the tests that has more than 32 characters'];

const pagesAt = (url: string) => new SealedCookies(new URL(url), secrets, 'pages');

const request = (cookie = '') => {
  const req = new IncomingMessage(new Socket());
  req.headers.cookie = cookie;
  return req;
};

/** What a browser gets: the name with the value, and the attributes. */
function written(cookies: SealedCookies): [pair: string, attributes: string[]] {
  const res = new ServerResponse(request());
  cookies.write(res, 'tw_page', { subject: 'ann' }, 60_000);
  const [line] = [res.getHeader('Set-Cookie') as string | string[]].flat();
  const [pair, ...attributes] = line!.split('; ');
  return [pair!, attributes];
}

test('over https a cookie belongs to the host, so no sibling host can plant one', () => {
  const [pair, attributes] = written(pagesAt('https://api.example.com/approvals'));
  expect(pair).toMatch(/^__Host-tw_page_[\w-]{8}=/);
  expect(attributes).toEqual(['Path=/', 'Max-Age=60', 'HttpOnly', 'SameSite=Lax', 'Secure']);
});

test('on this machine a cookie belongs to its pages', () => {
  const [pair, attributes] = written(pagesAt('http://127.0.0.1:3000/approvals/'));
  expect(pair).toMatch(/^tw_page=/);
  expect(attributes).toEqual(['Path=/approvals', 'Max-Age=60', 'HttpOnly', 'SameSite=Lax']);
});

test.each(['https://api.example.com', 'http://127.0.0.1:3000'])(
  'pages of %s read their own cookies',
  (at) => {
    const pages = pagesAt(`${at}/approvals`);
    const [pair] = written(pages);
    expect(pages.read(request(`a=b; ${pair}; c=d`), 'tw_page')).toEqual({ subject: 'ann' });
    expect(pages.read(request(pair.replace(/tw_page/, 'tw_in')), 'tw_in')).toBeUndefined();
  },
);

test('pages of one host do not read the cookies of each other', () => {
  const [pair] = written(pagesAt('https://api.example.com/approvals'));
  expect(pagesAt('https://api.example.com/connections').read(request(pair), 'tw_page')).toBeUndefined();
});

test('a cookie without the prefix counts for nothing over https', () => {
  const pages = pagesAt('https://api.example.com/approvals');
  const [pair] = written(pages);
  const value = pair.slice(pair.indexOf('=') + 1);
  for (const name of ['tw_page', '__Secure-tw_page'])
    expect(pages.read(request(`${name}=${value}`), 'tw_page')).toBeUndefined();
});
