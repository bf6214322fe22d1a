import type { Manifest } from '@toolwright/manifest';
import { optionalPackages } from '../extensions/load-packages.js';
import { findFileOptions, serverOptions } from './find-option-problems.js';

class Notes {}
const server = { name: 'notes', version: '1.0.0' };
const manifest = {} as Manifest;

describe('on a platform without files', () => {
  it.each([
    ['an audit file', { audit: { file: 'audit.log' } }, 'AuditSink'],
    ['a directory to discover', { discover: 'dist' }, '"services"'],
    ['the path of a manifest', { manifest: 'mcp.manifest.json' }, 'import manifest'],
    ['one path among manifests', { manifest: [manifest, 'mcp.manifest.json'] }, 'import manifest'],
    ['programs of models', { codeMode: true as const }, 'Serve it with Node.js'],
    ['services whose manifest would be searched', { services: [Notes] }, 'import manifest'],
  ])('%s is refused with what to write instead', (_case, options, alternative) => {
    const problems = findFileOptions({ ...server, ...options }, 'workerd');
    expect(problems).toEqual([
      expect.objectContaining({
        code: 'TW_FILES_NEEDED',
        message: expect.stringContaining('workerd'),
        fix: expect.stringContaining(alternative),
      }),
    ]);
  });

  it.each([
    ['a manifest as an object', { services: [Notes], manifest }],
    ['a function that gives one', { services: [Notes], manifest: () => manifest }],
    ['a sink', { audit: { write() {}, flush: async () => {}, close: async () => {} } }],
    ['no audit', { audit: false as const }],
  ])('%s is fine', (_case, options) => {
    expect(findFileOptions({ ...server, ...options }, 'workerd')).toEqual([]);
  });
});

it('Elsewhere files are fine', () => {
  expect(findFileOptions({ ...server, audit: { file: 'audit.log' }, discover: 'dist' })).toEqual([]);
});

it('createMcpServer has at most 38 options, those of packages and lockedTools included', () => {
  const ofPackages = optionalPackages.map(({ option }) => option);
  const names = new Set([...Object.keys(serverOptions), ...ofPackages, 'lockedTools']);
  expect([...names]).toHaveLength(Math.min(names.size, 38));
});
