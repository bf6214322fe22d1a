import { checksumOf, formatManifest } from './checksum.js';
import { MANIFEST_FORMAT, type Manifest } from './manifest.js';
import { checkManifest, ManifestError, parseManifest } from './parse-manifest.js';

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

test('a parsed manifest is the manifest that was written', () => {
  const text = formatManifest(manifest);
  expect(parseManifest(text, 'a.json')).toEqual({ ...manifest, checksum: checksumOf(manifest) });
  expect(formatManifest(parseManifest(text, 'a.json'))).toBe(text);
});

test('methods share what they have in common, and are what was written', () => {
  const entry = (method: string) => ({
    key: `src/pages.ts#Pages.${method}`,
    class: 'src/pages.ts#Pages',
    method,
    kinds: ['tool'],
    parameters: [],
    input: '51da7ceec6376f5f',
    output: null,
    wrap: false,
    stream: false,
    flatten: false,
    revive: {},
    location: { file: 'src/pages.ts', line: 1, column: 1 },
    shape: 'e2c02c2924eefe5c',
  });
  const written = { ...manifest, entries: [entry('find'), entry('save')] } as Manifest;
  const { entries } = parseManifest(formatManifest(written), 'a.json');
  expect(entries).toEqual(written.entries);
  expect(entries[1]!.kinds).toBe(entries[0]!.kinds);
  expect(entries[1]!.revive).toBe(entries[0]!.revive);
});

test('unknown members are kept', () => {
  const text = formatManifest({ ...manifest, later: true } as Manifest);
  expect(parseManifest(text, 'a.json')).toHaveProperty('later', true);
});

test.each<[string, unknown, RegExp]>([
  ['no format', {}, /has no "format"/],
  ['null', null, /has no "format"/],
  ['an array', [manifest], /has no "format"/],
  [
    'another format',
    { ...manifest, format: MANIFEST_FORMAT + 1 },
    /has manifest format 3, this version reads 2/,
  ],
  ['no schemas', { ...manifest, schemas: undefined }, /incomplete/],
  ['classes as an array', { ...manifest, classes: [] }, /incomplete/],
  ['entries as an object', { ...manifest, entries: {} }, /incomplete/],
  ['no checksum', manifest, /damaged or was edited/],
  ['a checksum of another manifest', { ...manifest, checksum: 'a'.repeat(64) }, /damaged or was edited/],
])('the error for %s names the file and the command that fixes it', (_case, value, message) => {
  expect(parse(value)).toThrow(ManifestError);
  expect(parse(value)).toThrow(message);
  expect(parse(value)).toThrow(/^notes\/mcp\.manifest\.json .*toolwright build/);
});

test("the error for text that is not JSON names the file, without the parser's message", () => {
  const torn = JSON.stringify(manifest).slice(0, -1);
  expect(() => parseManifest(torn, 'a.json')).toThrow('a.json is not JSON. Run `toolwright build` again.');
});

test('the error carries a stable code', () => {
  expect(parse({})).toThrow(expect.objectContaining({ code: 'TW_MANIFEST_INVALID', name: 'ManifestError' }));
});

test('a __proto__ member of the file is only data', () => {
  const polluted = JSON.stringify(manifest).replace('{', '{"__proto__":{"polluted":true},');
  const text = formatManifest(JSON.parse(polluted) as Manifest);
  expect(text).toContain('"__proto__"');
  parseManifest(text, 'a.json');
  expect(Object.prototype).not.toHaveProperty('polluted');
});

test('an indented manifest is the same manifest', () => {
  const text = JSON.stringify(JSON.parse(formatManifest(manifest)), null, 2);
  expect(parseManifest(text, 'a.json')).toMatchObject(manifest);
});

test('every changed character of a file is found', () => {
  const text = formatManifest({ ...manifest, schemas: { a: { type: 'integer', maximum: 10 } } }).trim();
  for (let at = 0; at < text.length; at++) {
    for (const other of ['1', 'x', '"', '']) {
      const damaged = text.slice(0, at) + other + text.slice(at + 1);
      if (damaged === text) continue;
      expect(() => parseManifest(damaged, 'a.json')).toThrow(ManifestError);
    }
  }
});

test('a manifest that is no file may lack a checksum, but must fit the one that it has', () => {
  expect(checkManifest(manifest, 'given')).toBe(manifest);
  const whole = { ...manifest, checksum: checksumOf(manifest) };
  expect(checkManifest(whole, 'given')).toBe(whole);
  expect(() => checkManifest({ ...whole, package: 'other' }, 'given')).toThrow(/damaged or was edited/);
});
