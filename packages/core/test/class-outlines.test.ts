import type { AnyClass } from '@toolwright/ground/base/metadata/store';
import { buildManifest } from '@toolwright/schema-compiler';
import { TemporaryProject } from '../../schema-compiler/test/temporary-project.js';
import { outlineOfClass } from '../src/boot/classes/running-class.js';
import { answer, problemsOf } from './support/booting.js';
import { compileModule, compileWithoutTypes } from './compile/compile-module.js';

/** Everything that a class can contain, and that compilers write in different ways. */
const SOURCE = `
  import { McpService, McpTool } from '@toolwright/core';
  export abstract class Port { abstract find(): string; abstract get size(): number; protected shown(): void {} }
  @McpService()
  export class Full extends Port {
    static count = 0;
    static readonly maker = () => new Full('x');
    static create() { return new Full('x'); }
    static get last() { return 1; }
    static { Full.count = 1; }
    field = 1;
    readonly arrow = () => this.field;
    #hidden = 2;
    #secret() { return this.#hidden; }
    constructor(readonly one: string, private two?: number, three = 3, ...rest: string[]) { super(); void rest; void three; }
    overloaded(a: string): void;
    overloaded(a: number): void;
    overloaded(a: unknown): void { void a; }
    find() { return String(this.#secret()); }
    get size() { return 1; }
    set size(value: number) { void value; }
    'quoted name'() {}
    async *[Symbol.asyncIterator]() {}
    @McpTool() tool(query: string): string { return this.aside(query); }
    private aside(query: string): string { return query; }
  }
  export class Plain {}
  export class Heir extends Full {}`;

test('the outline of a class is the same in the manifest and in every compiled form', async () => {
  const project = new TemporaryProject({ 'src/a.ts': SOURCE });
  const { manifest } = await buildManifest({ project: project.project, cache: false });
  project.remove();
  const built = (name: string) => manifest.classes[`src/a.ts#${name}`]!.outline;
  const forms = [
    compileModule(SOURCE, 'tsc', 'legacy'),
    compileModule(SOURCE, 'tsc', 'standard'),
    compileModule(SOURCE, 'swc', 'legacy'),
    compileModule(SOURCE, 'swc', 'standard'),
    compileWithoutTypes(SOURCE, 'legacy', 'shortened'),
    compileWithoutTypes(SOURCE, 'standard', 'shortened'),
  ] as unknown as Record<string, AnyClass>[];
  for (const classes of forms)
    for (const name of ['Port', 'Full', 'Plain', 'Heir'])
      expect([name, outlineOfClass(classes[name]!)]).toEqual([name, built(name)]);
  expect(new Set(['Port', 'Full', 'Plain', 'Heir'].map(built)).size).toBe(4);
});

test('a class with a computed name has no outline, because the name exists only at run time', async () => {
  const source = `import { McpTool } from '@toolwright/core';
    const name = 'made';
    export class Odd { [name + 'up']() {} @McpTool() find(): void {} }`;
  const project = new TemporaryProject({ 'src/a.ts': source });
  const { manifest } = await buildManifest({ project: project.project, cache: false });
  project.remove();
  expect(manifest.classes['src/a.ts#Odd']).not.toHaveProperty('outline');
});

/** Classes without methods have one outline. */
const FIELDS = `
  import { McpService, McpTool } from '@toolwright/core';
  export class Colours { text = 'red'; paper = 'white' }
  export class Sizes { width = 1; constructor(readonly height = 2) {} }
  export class Empty { later?: string }
  @McpService()
  export class Tools {
    constructor(private readonly colours: Colours, private readonly sizes: Sizes) {}
    /** Find. */
    @McpTool() find(query: string): string { return [query, this.colours.paper, this.sizes.height].join(' ') }
  }`;

describe.each(['legacy', 'standard'] as const)('with shortened names and %s decorators', (mode) => {
  const compile = async (source: string) => {
    const project = new TemporaryProject({ 'src/a.ts': FIELDS });
    const { manifest } = await buildManifest({ project: project.project, cache: false });
    project.remove();
    delete (globalThis as Record<symbol, unknown>)[Symbol.for('toolwright.classes')];
    const classes = compileWithoutTypes(source, mode, 'shortened') as unknown as Record<string, never>;
    return { manifest, classes };
  };

  test('a class that has only fields is found by these', async () => {
    const { manifest, classes } = await compile(FIELDS);
    const { Colours, Sizes, Empty, Tools } = classes;
    const options = { services: [Tools!], providers: [Empty!, Sizes!, Colours!], manifest };
    expect(await answer(options, 'find')).toBe('x white 2');
  });

  test('another class never takes its place, and the problem says how to keep names', async () => {
    const { manifest, classes } = await compile(FIELDS.replace("paper = 'white'", "inks = 'white'"));
    const { Colours, Sizes, Tools } = classes;
    const [problem] = await problemsOf({ services: [Tools!], providers: [Colours!, Sizes!], manifest });
    expect(problem).toMatchObject({
      code: 'TW_DEPENDENCY_UNKNOWN',
      message: expect.stringMatching(/colours: Colours/),
    });
    expect(problem!.fix).toMatch(/keep names.*@Injectable\(\{ id/);
  });
});
