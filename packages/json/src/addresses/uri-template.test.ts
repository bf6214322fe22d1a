import { UriTemplate } from './uri-template.js';

test.each([
  ['page://{id}', 'page://7', { id: '7' }],
  ['page://{id}', 'page://a%20b%2Fc', { id: 'a b/c' }],
  ['page://{id}', 'page://', undefined],
  ['page://{id}', 'page://a/b', undefined],
  ['test://template/{id}/data', 'test://template/1/data', { id: '1' }],
  ['test://template/{id}/data', 'test://template/1/data/', undefined],
  ['file:///{+path}', 'file:///a/b.txt', { path: 'a/b.txt' }],
  ['file:///{+path}/{name}', 'file:///a/b/c', { path: 'a/b', name: 'c' }],
  ['x://{name}.{format}', 'x://a.b.json', { name: 'a.b', format: 'json' }],
  ['x://{a,b}', 'x://1,2', { a: '1', b: '2' }],
  ['x://h{/path*}', 'x://h/a/b', { path: 'a/b' }],
  ['x://h{;v}', 'x://h;v=1', { v: '1' }],
  ['x://search{?q,limit}', 'x://search?limit=5&q=a%20b&other=1', { q: 'a b', limit: '5' }],
  ['x://search{?q}', 'x://search', {}],
  ['x://h#{#f}', 'x://h##top', { f: 'top' }],
  ['x://{id}', 'x://%E0%A4', undefined],
  ['x://{__proto__}', 'x://1', JSON.parse('{"__proto__":"1"}')],
])('%s and %s give %j', (template, uri, values) => {
  expect(new UriTemplate(template).match(uri)).toEqual(values);
});

test.each([
  ['x://h{/path*}', 'x://h/a/b%2Fc', { path: ['a', 'b/c'] }],
  ['x://h{/path*}', 'x://h/a', { path: ['a'] }],
  ['x://h{.v*}', 'x://h.1.2', { v: ['1', '2'] }],
  ['x://h{;v*}', 'x://h;v=1;v=2', { v: ['1', '2'] }],
  ['x://{v*}', 'x://a,b', { v: ['a', 'b'] }],
  ['x://h{?v*}', 'x://h?v=1&v=2', { v: ['1', '2'] }],
  ['x://h{?v*,w}', 'x://h?v=1&w=3', { v: ['1'], w: '3' }],
  ['x://h{?v}', 'x://h?v=1,2', { v: '1,2' }],
])('%s and %s give lists where the parameter is a list: %j', (template, uri, values) => {
  expect(new UriTemplate(template).match(uri, new Set(['path', 'v']))).toEqual(values);
});

test.each([
  ['a+b', 'a+b'],
  ['a%2Bb', 'a+b'],
  ['a%20b', 'a b'],
  ['a b', 'a b'],
  ['é', 'é'],
  ['%C3%A9', 'é'],
  ['%zz', undefined],
  ['50%', undefined],
  ['%ff', undefined],
  ['a\ud800', 'a\ud800'],
])('%s means the same in path and query: %s', (written, value) => {
  const expected = value === undefined ? undefined : { v: value };
  expect(new UriTemplate('x://h/{v}').match(`x://h/${written}`)).toEqual(expected);
  expect(new UriTemplate('x://h{?v}').match(`x://h?v=${written}`)).toEqual(expected);
});

test('a query is read name by name', () => {
  const template = new UriTemplate('x://h{?v,w}');
  expect(template.match('x://h?v=a=b&&x=%zz&%ff=1')).toEqual({ v: 'a=b' });
  expect(template.match('x://h?v')).toEqual({ v: '' });
  expect(template.match('x://h?')).toEqual({});
});

test('a variable that is not exploded may occur once', () => {
  expect(new UriTemplate('x://h{?v}').match('x://h?v=1&v=2')).toBeUndefined();
  expect(new UriTemplate('x://h{?v*}').match('x://h?v=1&v=2')).toEqual({ v: '1,2' });
});

test.each(['x://{', 'x://}', 'x://{}', 'x://{a b}', 'x://{!a}', 'x://{?q}/more'])(
  '%s is malformed',
  (template) => {
    expect(() => new UriTemplate(template)).toThrow(TypeError);
  },
);

test('its variables are returned in order', () => {
  expect(new UriTemplate('x://{a}/{+b}{?c}').variables).toEqual(['a', 'b', 'c']);
});

test('an adversarial URI is refused without backtracking', () => {
  const template = new UriTemplate(`x://${'{+a}-'.repeat(8)}end`);
  expect(template.match(`x://${'-'.repeat(8000)}`)).toBeUndefined();
  expect(template.match(`x://${'-'.repeat(9000)}end`)).toBeUndefined();
});

/** Values of RFC 6570, 3.2. */
const values = {
  var: 'value',
  hello: 'Hello World!',
  half: '50%',
  path: '/foo/bar',
  x: '1024',
  empty: '',
  cut: '\ud800',
  null: null,
  none: [],
  list: ['red', 'green', 'blue'],
  keys: { semi: ';', dot: '.', comma: ',' },
};

test.each([
  ['x', 'x'],
  ['{hello}', 'Hello%20World%21'],
  ['{+hello}|{+half}|{half}', 'Hello%20World!%7C50%25%7C50%25'],
  ['{+path}/here{#path,x}', '/foo/bar/here#/foo/bar,1024'],
  ['O{empty}X{undefined}{null}{none}', 'OX'],
  ['{var:3}{/var:1,list}{/list*}', 'val/v/red,green,blue/red/green/blue'],
  ['{keys}', 'semi,%3B,dot,.,comma,%2C'],
  ['{cut}{+cut}', '%EF%BF%BD%EF%BF%BD'],
  ['{+keys*}', 'semi=;,dot=.,comma=,'],
  ['X{.list*}{;x,empty,keys*}', 'X.red.green.blue;x=1024;empty;semi=%3B;dot=.;comma=%2C'],
  ['{?x,empty,list}', '?x=1024&empty=&list=red,green,blue'],
  ['?fixed=yes{&list*}', '?fixed=yes&list=red&list=green&list=blue'],
])('the values of the RFC make of %s the address %s', (template, uri) => {
  expect(new UriTemplate(template).expand(values)).toBe(uri);
});

test('what a template expands to, it matches again', () => {
  const template = new UriTemplate('file:///{+path}/{name}{?q,limit}');
  const given = { path: 'a/b', name: 'ä b/c?', q: 'x&y=1', limit: '5' };
  expect(template.match(template.expand(given))).toEqual(given);
});

test.each(['{x.}', '{x..y}', '{%2x}', '{var:0}', '{var:01}', '{var:10000}', '{var*:3}', '{=x}', '{}'])(
  'the RFC has no expression %s',
  (template) => expect(() => new UriTemplate(template)).toThrow(TypeError),
);
