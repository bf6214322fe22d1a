import { cpSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { compilerOptions, ProjectFolder, repository } from '../support/project-folder.js';

const installed = {
  '@toolwright/core': 'packages/core',
  '@toolwright/testing': 'packages/testing',
  'class-validator': 'packages/core/node_modules/class-validator',
  'class-transformer': 'packages/core/node_modules/class-transformer',
};

/** Prints what the calls of a list answer. */
const main = (calls: string) => `
import { createMcpServer } from '@toolwright/core';
import { connect } from '@toolwright/testing';
import { Tools } from './inner/tools.js';
const logger = { debug() {}, info() {}, warn() {}, error() {} };
const server = await createMcpServer({ name: 'copies', version: '1.0.0', services: [Tools], logger });
const client = await connect(server);
for (const name of ${calls})
  process.stdout.write(name + ': ' + (await client.callText(name, {}).catch((error: Error) => error.message)) + '\\n');
await server.close();
`;

let project: ProjectFolder;
beforeEach(() => {
  project = new ProjectFolder();
  project.install(installed);
  project.write('package.json', JSON.stringify({ name: 'copies', type: 'module' }));
  project.write('tsconfig.json', JSON.stringify({ compilerOptions: { ...compilerOptions, types: [] } }));
  project.write('src/globals.d.ts', 'declare const process: { stdout: { write(text: string): void } };');
});
afterEach(() => project.remove());

/** Gives a folder of the project a copy of its own, which Node.js finds first. */
function copyInto(folder: string, name: string, from: string, parts: readonly string[]): void {
  for (const part of parts)
    cpSync(join(repository, from, part), project.path(folder, 'node_modules', name, part), {
      recursive: true,
      dereference: true,
    });
}

test('a server enforces what the decorators of another copy of core recorded', () => {
  project.write(
    'src/inner/tools.ts',
    `import { definePolicy, JsonRpcCode, McpService, McpTool, ProtocolError, RateLimit, RequireScopes, ToolError } from '@toolwright/core';
const Closed = definePolicy<{ why: string }>('closed', { plan: ({ why }) => () => { throw new ToolError(why); } });
@McpService()
export class Tools {
  /** Has a policy of its own. */
  @Closed({ why: 'It is closed.' }) @McpTool() closed(): string { return 'open'; }
  /** Has a limit by caller. */
  @RateLimit({ points: () => 0, per: '1h' }) @McpTool() limited(): string { return 'unlimited'; }
  /** Needs a scope. */
  @RequireScopes('a:b') @McpTool() scoped(): string { return 'scoped'; }
  /** Throws a protocol error. */
  @McpTool() broken(): string { throw new ProtocolError(JsonRpcCode.invalidParams, 'words of the author'); }
}`,
  );
  project.write('src/main.ts', main("['closed', 'limited', 'scoped', 'broken']"));
  project.build();
  copyInto('dist/inner', '@toolwright/core', 'packages/core', ['package.json', 'dist']);
  copyInto('dist/inner', '@toolwright/manifest', 'packages/manifest', ['package.json', 'dist']);
  copyInto('dist/inner', 'reflect-metadata', 'packages/core/node_modules/reflect-metadata', [
    'package.json',
    'Reflect.js',
  ]);
  const { stdout, stderr } = project.node('dist/main.js');
  expect(stderr).toBe('');
  expect(stdout).toMatch(
    /^closed: It is closed\.\nlimited: Rate limited.*\nscoped: This needs the scope a:b\.\nbroken: words of the author\n$/,
  );
});

test.each([
  ['that an argument has', 'Renamed', 'string', "'x'"],
  ['whose result no type describes', 'string', 'unknown', 'new Renamed()'],
])(
  'decorators of another class-transformer on a class %s keep the server from starting',
  (_, taken, given, result) => {
    project.write(
      'src/inner/tools.ts',
      `import { McpService, McpTool } from '@toolwright/core';
import { Exclude, Expose } from 'class-transformer';
export class Renamed { @Expose({ name: 'new_name' }) name = 'n'; @Exclude() secret?: string = 's'; }
@McpService()
export class Tools {
  /** Takes or gives an instance. */
  @McpTool() use(given: ${taken}): ${given} { void given; return ${result}; }
}`,
    );
    project.write('src/main.ts', main("['use']"));
    project.build();
    rmSync(project.path('node_modules/class-transformer'));
    copyInto('.', 'class-transformer', installed['class-transformer'], ['package.json', 'cjs']);
    const { stdout, stderr } = project.node('dist/main.js');
    expect(stdout).toBe('');
    expect(stderr).toContain('TW_PACKAGE_TWICE: Decorators of class-transformer on ');
    expect(stderr).toContain(project.path('node_modules/class-transformer'));
    expect(stderr).toMatch(/and the server uses .*class-transformer\. /);
  },
);

test('an argument is an instance of the class that its method has imported, of a package with two copies', () => {
  const classes = `
class Dto {}
IsString()(Dto.prototype, 'name');
class Outer {}
ValidateNested()(Outer.prototype, 'inner');
Type(() => Dto)(Outer.prototype, 'inner');
`;
  project.write(
    'node_modules/dual/package.json',
    JSON.stringify({
      name: 'dual',
      exports: { '.': { types: './index.d.ts', import: './index.mjs', require: './index.cjs' } },
      peerDependencies: { 'class-validator': '*' },
    }),
  );
  project.write(
    'node_modules/dual/index.d.ts',
    'export declare class Dto { name: string; }\nexport declare class Outer { inner: Dto; }',
  );
  project.write(
    'node_modules/dual/index.mjs',
    `import { IsString, ValidateNested } from 'class-validator';\nimport { Type } from 'class-transformer';${classes}export { Dto, Outer };`,
  );
  project.write(
    'node_modules/dual/index.cjs',
    `const { IsString, ValidateNested } = require('class-validator');\nconst { Type } = require('class-transformer');${classes}module.exports = { Dto, Outer };`,
  );
  project.write(
    'src/inner/tools.ts',
    `import { McpService, McpTool } from '@toolwright/core';
import { Dto, Outer } from 'dual';
@McpService()
export class Tools {
  /** Takes one. */
  @McpTool() itself(given: Dto): string { return [given instanceof Dto, given.name].join(); }
  /** Takes one beside another argument. */
  @McpTool() beside(x: number, given: Dto): string { return [x, given instanceof Dto, given.name].join(); }
  /** Takes one in another. */
  @McpTool() inside(given: Outer): string { return [given instanceof Outer, given.inner instanceof Dto].join(); }
}`,
  );
  project.write(
    'src/main.ts',
    main("['itself', 'beside', 'inside']").replace(
      'name, {}',
      "name, name === 'itself' ? { name: 'n' } : name === 'beside' ? { x: 1, given: { name: 'n' } } : { inner: { name: 'n' } }",
    ),
  );
  project.build();
  const { stdout, stderr } = project.node('dist/main.js');
  expect(stderr).toBe('');
  expect(stdout).toBe('itself: true,n\nbeside: 1,true,n\ninside: true,true\n');
});
