import { BlockList, isIP, isIPv6 } from 'node:net';
import { inBrackets, isLoopbackAddress, networkOf, readAddress } from './addresses.js';

test.each([
  ['203.0.113.7', '203.0.113.7'],
  // Azure Application Gateway, App Service and others write the port behind the address.
  ['203.0.113.7:4001', '203.0.113.7'],
  ['::ffff:203.0.113.7', '203.0.113.7'],
  ['::FFFF:203.0.113.7:12345', '203.0.113.7'],
  ['::ffff:cb00:7107', '203.0.113.7'],
  ['0:0:0:0:0:ffff:cb00:7107', '203.0.113.7'],
  ['[::ffff:203.0.113.7]:80', '203.0.113.7'],
  ['64:ff9b::203.0.113.7', '203.0.113.7'],
  ['2001:db8::1', '2001:db8:0:0:0:0:0:1'],
  ['2001:0DB8:0000:0:00::0001', '2001:db8:0:0:0:0:0:1'],
  ['[2001:db8::1]', '2001:db8:0:0:0:0:0:1'],
  ['[2001:db8::1]:64828', '2001:db8:0:0:0:0:0:1'],
  ['fe80::1%eth0', 'fe80:0:0:0:0:0:0:1'],
  ['::', '0:0:0:0:0:0:0:0'],
  ['1::', '1:0:0:0:0:0:0:0'],
])('%s is %s', (text, address) => expect(readAddress(text)).toBe(address));

test.each([
  '',
  'unknown',
  '-',
  'localhost',
  '203.0.113',
  '203.0.113.256',
  '203.0.113.007',
  '0xcb007107',
  '203.0.113.7 ',
  '203.0.113.7:',
  '203.0.113.7:123456',
  '[203.0.113.7',
  ':::',
  '1::2::3',
  '2001:db8::1]@evil',
  '::1/64',
  '١.1.1.1',
  '_hidden',
  '1:2:3:4:5:6:7:8:9',
  '[::1]:x',
])('%j is not an address', (text) => expect(readAddress(text)).toBeUndefined());

test.each([
  ['::1', '[::1]'],
  ['::1%lo', '[::1]'],
  ['fe80::1%25eth0', '[fe80::1]'],
  ['fe80::1%Local Area\nConnection', '[fe80::1]'],
])('%j is %s in a URL', (host, written) => {
  expect(inBrackets(host)).toBe(written);
  expect(new URL(`http://${written}:80/`).hostname).toBe(written);
});

describe('texts that are made up', () => {
  const digits = ['0', '1', '7f', 'ffff', '00', '0db8', 'G', '', '12345'];
  const bytes = ['0', '9', '255', '256', '01', '-1', ''];
  const pick = <T>(list: readonly T[], seed: number) => list[seed % list.length]!;

  /** The same texts in each run. */
  function* texts() {
    let state = 42;
    const next = () => (state = (Math.imul(state, 1_103_515_245) + 12_345) >>> 1);
    for (let count = 0; count < 20_000; count++) {
      const groups = Array.from({ length: (next() % 9) + 1 }, () => pick(digits, next()));
      const four = Array.from({ length: 4 }, () => pick(bytes, next())).join('.');
      yield pick([groups.join(':'), four, `${groups.slice(0, 6).join(':')}:${four}`, `::${four}`], next());
    }
  }

  it('are addresses when Node.js reads them, too, and no others', () => {
    const all = [...texts()];
    // Node.js takes no port, and such a text with one is an address here.
    const wrong = all.filter(
      (text) => (readAddress(text) !== undefined) !== (isIP(text) !== 0) && !/\.\d+:\d+$/.test(text),
    );
    expect(wrong).toEqual([]);
    expect(all.filter((text) => isIP(text) !== 0).length).toBeGreaterThan(200);
  });

  it('are the same address as what is read', () => {
    const family = (address: string) => (isIPv6(address) ? 'ipv6' : 'ipv4');
    for (const text of texts()) {
      const address = isIP(text) === 0 ? undefined : readAddress(text);
      if (address === undefined) continue;
      const list = new BlockList();
      list.addAddress(address, family(address));
      expect([text, list.check(text, family(text))]).toEqual([text, true]);
    }
  });
});

test('a host has one network, of IPv6 its /64', () => {
  expect(
    ['2001:db8:1:2::1', '2001:0db8:0001:0002:0:0:0:2', '[2001:DB8:1:2:3::4]:443'].map(networkOf),
  ).toEqual(Array(3).fill('2001:db8:1:2'));
  expect(['203.0.113.7:1', '::ffff:cb00:7107', 'nobody'].map(networkOf)).toEqual([
    '203.0.113.7',
    '203.0.113.7',
    'nobody',
  ]);
});

test.each([
  ['127.0.0.1', true],
  ['127.8.9.1', true],
  ['::ffff:7f00:1', true],
  ['0:0:0:0:0:0:0:1', true],
  ['128.0.0.1', false],
  ['::2', false],
  ['127.evil.example', false],
])('%s is of this machine: %s', (text, isOwn) => expect(isLoopbackAddress(text)).toBe(isOwn));
