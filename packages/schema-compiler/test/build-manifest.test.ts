import { formatManifest, parseManifest, type Manifest } from '@toolwright/manifest';
import { buildManifest, inspectProject, ProjectError } from '../src/index.js';
import { TemporaryProject } from './temporary-project.js';

const SOURCE = `
import { McpService, McpTool, ToolContext, type integer } from '@toolwright/core';

export class Store {}
export class PageDto { title!: string; at?: Date }

@McpService({ id: 'pages' })
export class PageTools {
  constructor(private readonly store: Store, name?: string) {}

  /** Make a page. */
  @McpTool({ name: 'create_page', title: 'Create' })
  create(page: PageDto, ctx: ToolContext): void {}

  @McpTool()
  count(limit: integer = 10): Promise<integer> { return Promise.resolve(limit); }
}
export { PageTools as Tools };
`;

let project: TemporaryProject;
let manifest: Manifest;

beforeAll(async () => {
  project = new TemporaryProject({ 'src/deep/pages.ts': SOURCE });
  ({ manifest } = await buildManifest({ project: project.project, cache: false }));
});

afterAll(() => project.remove());

test('a manifest survives being written and parsed', () => {
  expect(parseManifest(formatManifest(manifest), 'test')).toMatchObject(manifest);
});

test('an entry says how parameters are bound, injected and revived', () => {
  expect(manifest.entries[0]).toMatchObject({
    key: 'src/deep/pages.ts#PageTools.create',
    class: 'src/deep/pages.ts#PageTools',
    kinds: ['tool'],
    name: 'create_page',
    title: 'Create',
    description: 'Make a page.',
    parameters: [
      { name: 'page', kind: 'input' },
      { name: 'ctx', kind: 'inject', inject: 'ToolContext' },
    ],
    output: null,
    flatten: true,
    revive: {
      input: {
        '': { kind: 'object', class: 'src/deep/pages.ts#PageDto', properties: { at: { kind: 'date' } } },
      },
    },
    location: { file: 'src/deep/pages.ts', line: 12 },
  });
});

test('classes say where their compiled form is, and what their constructors need', () => {
  expect(manifest.classes['src/deep/pages.ts#PageTools']).toMatchObject({
    id: 'pages',
    module: { path: 'dist/deep/pages.js', export: 'PageTools' },
    constructor: [
      { name: 'store', type: 'Store', class: 'src/deep/pages.ts#Store' },
      { name: 'name', type: 'string', optional: true },
    ],
  });
  expect(manifest.classes['src/deep/pages.ts#PageDto']).toMatchObject({ validation: 'skip' });
});

describe('a DTO of another package', () => {
  const compile = async (dependencies: Record<string, string>) => {
    const other = new TemporaryProject({
      'node_modules/@shop/dtos/package.json': JSON.stringify({
        name: '@shop/dtos',
        types: 'index.d.ts',
        dependencies,
      }),
      'node_modules/@shop/dtos/index.d.ts': 'export declare class WishDto { text: string; }',
      'src/a.ts': `import { McpTool } from '@toolwright/core';
        import { WishDto } from '@shop/dtos';
        export class A { /** Wish. */ @McpTool() wish(wish: WishDto): void {} }`,
    });
    const { manifest: found, diagnostics } = await buildManifest({ project: other.project });
    other.remove();
    const dto = found.classes['node_modules/@shop/dtos/index.d.ts#WishDto'];
    return { dto, codes: diagnostics.map(({ code }) => code) };
  };

  test('is left to class-validator, with a warning, if its package uses class-validator', async () => {
    const { dto, codes } = await compile({ 'class-validator': '*' });

    expect(dto).toMatchObject({
      imported: { specifier: '@shop/dtos', export: 'WishDto' },
      validation: 'full',
      mergeRuntime: true,
    });
    expect(codes).toEqual(['TW_SCHEMA_UNSEEN_CLASS']);
  });

  test('is described by its declaration alone if it cannot have decorators', async () => {
    const { dto, codes } = await compile({});

    expect(dto).toMatchObject({ validation: 'skip' });
    expect(codes).toEqual([]);
  });
});

test('equal schemas are stored once', async () => {
  const twice = `
    import { McpTool } from '@toolwright/core';
    export class A { @McpTool() one(id: string): void {} @McpTool() two(id: string): void {} }`;
  const other = new TemporaryProject({ 'src/a.ts': twice });
  const { manifest: found } = await buildManifest({ project: other.project });
  expect(Object.keys(found.schemas)).toHaveLength(1);
  other.remove();
});

test('decorators are known by symbol: through aliases and re-exports, and never by name alone', async () => {
  const other = new TemporaryProject({
    'src/ours.ts': `export { McpTool as Action } from '@toolwright/core';`,
    'src/a.ts': `
      import * as core from '@toolwright/core';
      import { Action } from './ours.js';
      const McpTool = () => () => undefined;
      export class A {
        @Action() renamed(id: string): void {}
        @core.McpTool() spaced(id: string): void {}
        @(McpTool() as any) foreign(id: string): void {}
      }`,
  });
  const entries = await inspectProject({ project: other.project });
  expect(entries.map(({ name }) => name)).toEqual(['renamed', 'spaced']);
  other.remove();
});

test('a tsconfig that cannot be read is a ProjectError', async () => {
  await expect(buildManifest({ project: '/nowhere/tsconfig.json', cache: false })).rejects.toBeInstanceOf(
    ProjectError,
  );
});

test('the build warns about schemas above the size budget, and refuses much larger ones unless the tool allows them', async () => {
  const fields = (count: number) =>
    Array.from({ length: count }, (_, index) => `field_number_${index}: string;`).join(' ');
  const other = new TemporaryProject({
    'src/a.ts': `import { McpTool } from '@toolwright/core';
      interface Big { ${fields(600)} }
      interface Huge { ${fields(8000)} }
      export class A {
        @McpTool() big(): { big: Big } { throw 0; }
        @McpTool() huge(huge: Huge, n: number): string { throw 0; }
        @McpTool({ maxSchemaBytes: 1_000_000 }) allowed(huge: Huge, n: number): string { throw 0; }
        @McpTool({ maxSchemaBytes: 1_000 }) strict(): { big: Big } { throw 0; }
      }`,
  });
  const { diagnostics } = await buildManifest({ project: other.project });
  other.remove();
  expect(diagnostics.map(({ code, severity }) => [code, severity])).toEqual([
    ['TW_SCHEMA_TOO_LARGE', 'warning'],
    ['TW_SCHEMA_OVER_BUDGET', 'error'],
    ['TW_SCHEMA_OVER_BUDGET', 'error'],
  ]);
  expect(diagnostics[0]!.message).toContain('The largest parts: output.big (');
  expect(diagnostics[1]!.message).toMatch(/The largest parts: input\.huge \(\d+\), input\.n \(17\)\./);
});
