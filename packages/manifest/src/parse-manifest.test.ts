import { MANIFEST_FORMAT, type Manifest } from './manifest.js';
import { ManifestError, parseManifest } from './parse-manifest.js';

const manifest: Manifest = {
  format: MANIFEST_FORMAT,
  compiler: '0.1.0',
  package: 'notes',
  sourceHash: 'a'.repeat(64),
  schemas: {},
  classes: {},
  entries: [],
};

const parse = (value: unknown) => () => parseManifest(JSON.stringify(value), 'notes/mcp.manifest.json');

test('a manifest comes back as it was written', () => {
  expect(parse(manifest)()).toEqual(manifest);
});

test('members that this version does not know are kept', () => {
  expect(parse({ ...manifest, later: true })()).toHaveProperty('later', true);
});

test.each<[string, unknown, RegExp]>([
  ['no format', {}, /has no "format"/],
  ['null', null, /has no "format"/],
  ['an array', [manifest], /has no "format"/],
  [
    'another format',
    { ...manifest, format: MANIFEST_FORMAT + 1 },
    /has manifest format 2, this version reads 1/,
  ],
  ['no schemas', { ...manifest, schemas: undefined }, /incomplete/],
  ['classes as an array', { ...manifest, classes: [] }, /incomplete/],
  ['entries as an object', { ...manifest, entries: {} }, /incomplete/],
])('%s is refused with the file and the command that mends it', (_case, value, message) => {
  expect(parse(value)).toThrow(ManifestError);
  expect(parse(value)).toThrow(message);
  expect(parse(value)).toThrow(/^notes\/mcp\.manifest\.json .*toolwright build/);
});

test("text that is not JSON is refused by name, without the parser's noise", () => {
  const torn = JSON.stringify(manifest).slice(0, -1);
  expect(() => parseManifest(torn, 'a.json')).toThrow('a.json is not JSON. Run `toolwright build` again.');
});

test('the error carries a stable code', () => {
  expect(parse({})).toThrow(expect.objectContaining({ code: 'TW_MANIFEST_INVALID', name: 'ManifestError' }));
});

test('a __proto__ member of the file stays data', () => {
  parseManifest(JSON.stringify(manifest).replace('{', '{"__proto__":{"polluted":true},'), 'a.json');
  expect(Object.prototype).not.toHaveProperty('polluted');
});
