import { symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { formatManifest } from '@toolwright/manifest';
import { buildManifest } from '@toolwright/schema-compiler';
import { TemporaryPackage } from '../packages/temporary-package.js';
import { boot, problemsOf } from '../support/booting.js';
import { StatelessWire } from '../wire/stateless-wire.js';

const DTO = `
import { IsString, MinLength, ValidateBy } from 'class-validator';
export class LoginInput { @IsString() @MinLength(4) @ValidateBy({ name: 'ok', validator: { validate: (value) => value !== 'nope' } }) pin!: string; }
`;
const MAIN = `
import { McpService, McpTool } from '@toolwright/core';
import type { LoginInput } from './dto.js';
@McpService() export class Tools {
  @McpTool() login(input: LoginInput): string { return input.constructor.name + ' ' + input.pin; }
  @McpTool() nested(x: number, all: LoginInput[]): string { return all.map((each) => each.constructor.name).join(); }
}`;

/** What a bundler writes: one file, without types. */
const bundle = (name: string) => `
import { McpService, McpTool } from '@toolwright/core';
import { IsString, MinLength, ValidateBy } from 'class-validator';
export class ${name} { @IsString() @MinLength(4) @ValidateBy({ name: 'ok', validator: { validate: (value) => value !== 'nope' } }) pin; }
@McpService() export class Tools {
  @McpTool() login(input) { return input.constructor.name + ' ' + input.pin; }
  @McpTool() nested(x, all) { return all.map((each) => each.constructor.name).join(); }
}`;

let project: TemporaryPackage;

/** class-validator keeps the classes of other tests, so each test has a name of its own. */
async function build(name: string): Promise<void> {
  const named = (source: string) => source.replaceAll('LoginInput', name);
  project = new TemporaryPackage({ 'src/main.ts': named(MAIN), 'src/dto.ts': named(DTO) });
  symlinkSync(join(__dirname, '../../node_modules'), project.path('node_modules'));
  const compilerOptions = {
    target: 'ES2022',
    module: 'nodenext',
    strict: true,
    experimentalDecorators: true,
    types: [],
    rootDir: 'src',
    outDir: 'dist',
  };
  project.write('tsconfig.json', JSON.stringify({ compilerOptions, include: ['src'] }));
  const { manifest } = await buildManifest({ project: project.path('tsconfig.json'), cache: false });
  project.write('mcp.manifest.json', formatManifest(manifest));
}

afterEach(() => project.remove());

test('a bundle with the name of a compiled file validates with the classes inside it', async () => {
  await build('LoginInput');
  project.write('dist/main.js', bundle('LoginInput'));
  const server = await boot({ services: [project.load('dist/main.js')['Tools']!], rateLimit: false });
  const wire = new StatelessWire(server);
  const text = async (name: string, args: object) =>
    ((await wire.call(name, { ...args })).result.content as { text: string }[])[0]!.text;
  expect(await text('login', { pin: '1234' })).toBe('LoginInput 1234');
  expect(await text('nested', { x: 1, all: [{ pin: '1234' }] })).toBe('LoginInput');
  expect(await text('login', { pin: 'nope' })).toContain('Invalid arguments');
  await server.close(0);
});

test('a server does not start if such a bundle has lost the name of a class that validates', async () => {
  await build('LostInput');
  project.write('dist/main.js', bundle('Shortened'));
  const problems = await problemsOf({ services: [project.load('dist/main.js')['Tools']!] });
  expect(problems).toMatchObject([{ code: 'TW_MANIFEST_UNMATCHED' }]);
  expect(problems[0]!.message).toContain('the class LostInput validates arguments and cannot be loaded');
});
