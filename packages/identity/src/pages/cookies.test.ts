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

test.each(['https://api.example.com', 'http://127.0.0.1:3000'])(
  'a browser keeps eight of the sign-ins that were begun at %s, and nothing else is lost',
  (at) => {
    const [pages, others] = [pagesAt(`${at}/approvals`), pagesAt(`${at}/connections`)];
    const jar = new Map<string, string>();
    /** Keeps the lines of an answer as a browser does. */
    const take = (res: ServerResponse) => {
      for (const line of [res.getHeader('Set-Cookie') as string | string[]].flat()) {
        const [, name, value] = /^([^=]+)=([^;]*)/.exec(line)!;
        if (value === '') jar.delete(name!);
        else jar.set(name!, value!);
      }
    };
    const cookie = () => [...jar].map((pair) => pair.join('=')).join('; ');
    const answer = () => new ServerResponse(request(cookie()));
    const begin = (cookies: SealedCookies, id: string, kind = 'tw_in_') => {
      const res = answer();
      cookies.writeOneOf(res, kind, { id, value: id, ms: 60_000 });
      take(res);
    };
    const [session] = written(pages);
    jar.set(...(session.split(/=(.*)/s).slice(0, 2) as [string, string]));
    begin(pages, 'out', 'tw_out_');
    if (at.startsWith('https')) begin(others, 'of_others');
    const before = jar.size;
    for (let turn = 0; turn < 50; turn++) begin(pages, `n${turn}`);
    expect(jar.size).toBe(before + 8);
    expect(cookie().length).toBeLessThan(4_000);
    const read = (name: string) => pages.read(request(cookie()), name);
    expect([read('tw_in_n41'), read('tw_in_n42'), read('tw_in_n49'), read('tw_out_out')]).toEqual([
      ...[undefined, 'n42', 'n49', 'out'],
    ]);
    expect(read('tw_page')).toEqual({ subject: 'ann' });
  },
);
