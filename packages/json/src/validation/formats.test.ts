import addFormats from 'ajv-formats';
import { Ajv2020 } from 'ajv/dist/2020.js';
import fc from 'fast-check';
import { numberFormats, textFormats } from './formats.js';
import { validatorFor } from './validator.js';

const ajv = new Ajv2020({ strict: false });
addFormats.default(ajv as never);

/** Texts that formats accept, and parts of which texts that nearly fit can be made. */
const seeds: Record<string, readonly string[]> = {
  date: ['2024-02-29', '2023-02-29', '2100-02-29', '2000-02-29', '2026-12-31', '2026-00-10', '2026-04-31'],
  time: [
    '12:00:00Z',
    '23:59:60Z',
    '23:59:60+01:00',
    '00:59:60+01:00',
    '15:59:60-08:00',
    '24:00:00z',
    '1:2:3.4Z',
    '12:00:00.25+0530',
  ],
  'date-time': [
    '2026-07-28T12:00:00Z',
    '2026-07-28 12:00:00z',
    '2026-07-28t23:59:60.5+00',
    '2026-07-28T12:00:00',
  ],
  duration: ['P1DT2H', 'P', 'PT', 'P1W', 'P1Y2M3DT4H5M6S', 'P1Y1W'],
  uri: [
    'https://user:pw@example.com:80/a/b%20c?x=y#z',
    'urn:isbn:123',
    'mailto:a@b.c',
    'http://[::1]:8080/',
    'http://[1:2:3:4:5:6:1.2.3.4]/',
    'http://[v1.a:b]/',
    '//a/b?c',
    'a b',
    'http://a"b/',
    'x:',
    '/p',
  ],
  'uri-template': ['/a/{b}/{?c*,d:3}', '{', '{+x}', '{a,b}', '/%41', '/%4'],
  url: [
    'http://example.com/a?b',
    'ftp://1.2.3.4:80/x',
    'https://10.0.0.1/',
    'http://172.20.0.1/',
    'http://ä.öü/',
    'http://a@b.cd/',
    'http://a',
  ],
  email: ['a.b@c.de', "o'x@a-b.c.d", 'a@b', '.a@b.c', 'a@-b.c'],
  hostname: ['a-b.example.com.', '-a.b', `${'a'.repeat(63)}.b`, `${'a'.repeat(64)}.b`, 'a..b'],
  ipv4: ['1.2.3.4', '255.255.255.255', '256.1.1.1', '01.2.3.4', '1.2.3', '1.2.3.4.'],
  ipv6: [
    '::',
    '::1',
    '1::',
    '1:2:3:4:5:6:7:8',
    '1:2:3:4:5:6:7::',
    '::2:3:4:5:6:7:8',
    '1::3:4:5:6:7:8:9',
    '::1.2.3.4',
    '1:2:3:4:5:6:1.2.3.4',
    '1:2:3:4:5::1.2.3.4',
    '1.2.3.4::',
    ':::',
    '1:2',
  ],
  regex: ['^a+$', '(', 'a\\Z', '[a-z]'],
  uuid: ['00000000-0000-4000-8000-000000000000', 'urn:uuid:00000000-0000-4000-8000-000000000000'],
  'json-pointer': ['/a~0b~1/c', '/a~2', 'a', ''],
  'json-pointer-uri-fragment': ['#/a%20b', '#', '/a', '#/~2'],
  'relative-json-pointer': ['0#', '1/a', '01/a', '/a'],
  byte: ['YQ==', 'YWI=', 'YWJj', 'YQ', 'YQ='],
};
const all = Object.values(seeds).flat();
const spliced = fc
  .tuple(fc.constantFrom(...all), fc.constantFrom(...all), fc.nat(30), fc.nat(30))
  .map(([one, other, end, start]) => one.slice(0, end) + other.slice(start));
const changed = fc
  .tuple(
    fc.constantFrom(...all),
    fc.nat(40),
    fc.constantFrom('', '0', '9', ':', '.', '/', '-', '%', 'g', '[', '"', ' ', '@', '#', 'Z'),
  )
  .map(([text, at, letter]) => text.slice(0, at) + letter + text.slice(at + 1));
const text = fc.oneof(fc.constantFrom(...all), spliced, changed, fc.string({ maxLength: 12 }));

test.each(Object.keys(textFormats))('the format %s accepts what ajv-formats accepts', (format) => {
  const known = ajv.compile({ format });
  const validate = validatorFor({ format }, 'method');
  const judge = (one: string) => [one, validate(one) === undefined];
  for (const one of all) expect(judge(one)).toEqual([one, known(one)]);
  fc.assert(
    fc.property(text, (one) => {
      expect(judge(one)).toEqual([one, known(one)]);
    }),
    { numRuns: 500 },
  );
});

test.each(Object.keys(numberFormats))('the format %s accepts what ajv-formats accepts', (format) => {
  const known = ajv.compile({ format });
  const validate = validatorFor({ format }, 'method');
  for (const value of [0, -0, 1.5, 2 ** 31, 2 ** 31 - 1, -(2 ** 31), -(2 ** 31) - 1, 2 ** 53, '1.5', null])
    expect([value, validate(value) === undefined]).toEqual([value, known(value)]);
});

test('no format of ajv-formats that checks something is missing', () => {
  const checking = Object.entries(ajv.formats)
    .filter(([, format]) => format !== true)
    .map(([name]) => name);
  const numbers = ['float', 'double'];
  expect([...Object.keys(textFormats), ...Object.keys(numberFormats), ...numbers].sort()).toEqual(
    checking.sort(),
  );
});

test('values of other types have every format', () => {
  expect(validatorFor({ format: 'date' }, 'caller')(1)).toBeUndefined();
  expect(validatorFor({ format: 'int32' }, 'caller')('x')).toBeUndefined();
  expect(validatorFor({ format: 'constructor' }, 'caller')('x')).toBeUndefined();
});
