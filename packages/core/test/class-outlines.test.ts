import { buildManifest } from '@toolwright/schema-compiler';
import { TemporaryProject } from '../../schema-compiler/test/temporary-project.js';
import type { AnyClass } from '../src/base/metadata/store.js';
import { outlineOfClass } from '../src/boot/services/running-outline.js';
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
    @McpTool() private tool(query: string): string { return query; }
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
