import 'reflect-metadata';
import { constrainSchema, validatorFor } from '@toolwright/json';
import * as rules from 'class-validator';
import { rulesOfClass } from '../src/classes/class-validator.js';

/** The decorators by name. */
const decorators = { ...rules };
type Rule = keyof typeof decorators;

/** Forms of rules, each with texts that class-validator accepts and that were refused before it saw them. */
const FORMS: readonly (readonly [rule: Rule, options: readonly unknown[], accepted: readonly string[]])[] = [
  [
    'IsEmail',
    [],
    ['jörg@münchen.de', 'hans@m端ller.com', '"foo bar"@example.com', 'test|1@m端ller.com', 'a@b.中国'],
  ],
  [
    'IsUrl',
    [],
    ['a@b.de', 'HTTP://WWW.FOOBAR.COM/', 'http://:pass@a.de/', 'http://[::192.9.5.5]/ipng', 'http://a.de:'],
  ],
  ['IsUrl', [{ require_tld: false }], ['a@b', '干𩸽', 'test\uFE0F', 'http://localhost:3000/a']],
  ['IsUrl', [{ protocols: ['https'], require_protocol: true }], ['HTTPS://a.de', 'https://me@a.de']],
  ['IsUrl', [], ['http:foobar.com', 'ftp:a.b.de:21', 'HTTP:FOO.COM', 'http:a@b.de']],
  ['IsUrl', [{ protocols: ['rtmp'] }], ['rtmp:foobar.com', 'rtmp://foobar.com/x']],
  ['IsDateString', [], ['0731234 56', '2024-05-01T56.5Z', '2024-05-01T24:0056']],
  ['IsISO8601', [{ strict: true }], ['0731234 56', '2024-05-01 56']],
  ['IsRFC3339', [], ['2009-05-31 14:53:60Z', '2024-05-01T14:53:60.5+01:00', '2016-12-31T23:59:60Z']],
  ['IsIP', [], ['fe80::7:8%eth0', '::1', '127.0.0.1']],
  ['IsIP', [6], ['fe80::7:8%1', '::1']],
  ['IsPort', [], ['+80', '-0', '65535']],
  ['IsMilitaryTime', [], ['1234', '12:34']],
  ['IsJWT', [], ['alpha..', 'a.b.c']],
  ['NotContains', [''], ['b', '']],
  ['Matches', [/b/y], ['b', 'ba']],
  ['Matches', [/b/gy], ['b', 'ba']],
  ['Matches', [/b/d], ['ab']],
];

const name = ([rule, options]: (typeof FORMS)[number]) =>
  `@${rule}(${options.map((each) => (each instanceof RegExp ? String(each) : JSON.stringify(each))).join()})`;

function checksOf(rule: Rule, options: readonly unknown[]) {
  class Dto {
    value: unknown;
  }
  (decorators[rule] as (...given: readonly unknown[]) => PropertyDecorator)(...options)(
    Dto.prototype,
    'value',
  );
  const { constraints } = rulesOfClass(Dto).get('value')!;
  const { schema } = constrainSchema({ type: 'string' }, { constraints }, (part) => part);
  const refuses = validatorFor(schema, 'caller');
  const accepts = async (value: string) =>
    (await rules.validate(Object.assign(new Dto(), { value }))).length === 0;
  return { accepts, isTaken: (value: string) => !refuses(value) };
}

test.each(FORMS.map((form) => [name(form), form] as const))(
  'a text that %s accepts is not refused by its schema',
  async (_, [rule, options, accepted]) => {
    for (const value of accepted) {
      const { accepts, isTaken } = checksOf(rule, options);
      // The state of a sticky pattern is that of the decorator, so each text gets a pattern of its own.
      for (const option of options) if (option instanceof RegExp) option.lastIndex = 0;
      expect([value, await accepts(value), isTaken(value)]).toEqual([value, true, true]);
    }
  },
);

test('a sticky pattern matches at the beginning of a text alone', () => {
  const { isTaken } = checksOf('Matches', [/b/y]);
  expect([isTaken('ab'), isTaken('b'), isTaken('b')]).toEqual([false, true, true]);
});

test.each([
  ['IsEmail', ['nobody', 'a@b', 'a b@c.de']],
  ['IsUrl', ['nobody', 'http://', 'http://a b.de', 'ht://a.de', 'http:localhost', 'javascript:alert(1)']],
  ['IsRFC3339', ['2024-05-01', '2024-13-01T14:53:60Z', '2024-05-01T14:61:60Z']],
] as const)('@%s still refuses what is none', async (rule, refused) => {
  const { accepts, isTaken } = checksOf(rule, []);
  for (const value of refused)
    expect([value, await accepts(value), isTaken(value)]).toEqual([value, false, false]);
});

test('a limit that is none, and values that JSON cannot write, are not in a schema', () => {
  const given = [
    ['Max', [Infinity]],
    ['Min', [-Infinity]],
    ['MaxLength', [Infinity]],
    ['ArrayMaxSize', [Infinity]],
    ['IsIn', [[1, NaN, Infinity]]],
  ] as const;
  const schemas = given.map(([rule, options]) => {
    class Dto {}
    (decorators[rule] as (...words: readonly unknown[]) => PropertyDecorator)(...options)(
      Dto.prototype,
      'value',
    );
    const { constraints } = rulesOfClass(Dto).get('value')!;
    return JSON.stringify(constrainSchema({}, { constraints }, (part) => part).schema);
  });
  expect(schemas.join()).not.toContain('null');
  expect(schemas.at(-1)).toContain('1');
});
