import { collectRecords } from '@toolwright/ground/base/metadata/class-records';
import { ownRecords, type AnyClass } from '@toolwright/ground/base/metadata/store';
import { compileModule, type Compiler, type DecoratorMode } from './compile/compile-module.js';

const kinds: [Compiler, DecoratorMode][] = [
  ['tsc', 'legacy'],
  ['tsc', 'standard'],
  ['swc', 'legacy'],
  ['swc', 'standard'],
];

describe.each(kinds)('compiled by %s with %s decorators', (compiler, mode) => {
  const compile = (source: string) => compileModule(source, compiler, mode) as Record<string, AnyClass>;

  const source = `
    import { McpService, McpTool, McpPrompt, RequireScopes, RateLimit } from '@toolwright/core';
    @McpService({ scope: 'request' })
    @RateLimit({ points: 1, per: '1s' })
    export class Base {
      @McpTool({ name: 'find' }) @RequireScopes('read') search(query: string) { return query; }
      @McpTool() @McpPrompt() both() {}
      @McpTool() static fixed() {}
    }
    export class Derived extends Base {
      override search(query: string) { return query + '!'; }
      @McpTool({ name: 'other' }) override both() {}
      @McpTool() added() {}
    }`;

  test('records contain what was written, and where', () => {
    const { records, methods } = collectRecords(compile(source)['Base']!);
    expect(records.map(({ kind, name }) => [kind, name])).toEqual([
      ['service', ''],
      ['policy', 'rateLimit'],
    ]);
    const found = methods.map((method) => [
      method.method,
      method.static,
      method.records.map(({ kind }) => kind),
    ]);
    expect(Object.fromEntries(found.map(([name, ...rest]) => [name, rest]))).toEqual({
      search: [false, ['tool', 'policy']],
      both: [false, ['tool', 'prompt']],
      fixed: [true, ['tool']],
    });
  });

  test('a derived class adds to its base and overrides it, decorator by decorator', () => {
    const { methods, records } = collectRecords(compile(source)['Derived']!);
    const search = methods.find(({ method }) => method === 'search')!;
    const both = methods.find(({ method }) => method === 'both')!;
    expect(records).toHaveLength(2);
    expect(search.records.map(({ kind }) => kind)).toEqual(['tool', 'policy']);
    expect(both.records.map(({ kind, options }) => [kind, options])).toEqual([
      ['prompt', {}],
      ['tool', { name: 'other' }],
    ]);
    expect(methods.map(({ method }) => method)).toContain('added');
  });

  test('a derived class does not change its base', () => {
    const { Base, Derived } = compile(source) as Record<'Base' | 'Derived', AnyClass>;
    expect(ownRecords(Derived).map(({ place }) => place)).not.toEqual(
      ownRecords(Base).map(({ place }) => place),
    );
    expect(collectRecords(Base).methods.map(({ method }) => method)).not.toContain('added');
  });

  test('a mixin gives its methods to each class that it creates', () => {
    const { A, B } = compile(`
      import { McpTool } from '@toolwright/core';
      const Mixin = (Base) => { class Mixed extends Base { @McpTool() mixed() {} } return Mixed; };
      class Inner { @McpTool() inner() {} }
      export class A extends Mixin(Object) { @McpTool() a() {} }
      export class B extends Mixin(Inner) {}`) as Record<'A' | 'B', AnyClass>;
    const names = (target: AnyClass) => collectRecords(target).methods.map(({ method }) => method);
    expect(names(A)).toEqual(['mixed', 'a']);
    expect(names(B)).toEqual(['inner', 'mixed']);
  });

  test('a decorator on a class applies to the whole class', () => {
    const { Whole } = compile(`
      import { McpTool } from '@toolwright/core';
      @McpTool({ name: 'whole' }) export class Whole { invoke() {} }`) as Record<'Whole', AnyClass>;
    expect(collectRecords(Whole).records).toMatchObject([{ kind: 'tool', options: { name: 'whole' } }]);
  });

  test.each([
    '@McpTool() field = 1;',
    '@McpTool() get value() { return 1; }',
    '@McpTool() [Symbol.iterator]() {}',
  ])('a decorator on %s is refused with its place', (member) => {
    const broken = `import { McpTool } from '@toolwright/core'; export class A { ${member} }`;
    expect(() => compile(broken)).toThrow(
      expect.objectContaining({ problems: [expect.objectContaining({ code: 'TW_DECORATOR_PLACE' })] }),
    );
  });

  test.each(['@McpService', '@McpTool'])('%s without parentheses is refused', (decorator) => {
    const on =
      decorator === '@McpTool' ? 'export class A { @McpTool find() {} }' : '@McpService export class A {}';
    const broken = `import { McpService, McpTool } from '@toolwright/core'; ${on}`;
    expect(() => compile(broken)).toThrow(`${decorator} was written without parentheses.`);
  });
});

test('parameter decorators record the method and the position, or the constructor', () => {
  const { Tools } = compileModule(
    `import { McpTool, Inject, Schema, CompletionProvider } from '@toolwright/core';
     export class Tools {
       constructor(a: string, @Inject('dsn') dsn: string) {}
       @McpTool() find(a: string, @Schema({ minLength: 2 }) @CompletionProvider({ values: ['x'] }) b: string) {}
       @McpTool() static fixed(@Schema({ minLength: 3 }) a: string) {}
     }`,
    'tsc',
    'legacy',
  ) as Record<'Tools', AnyClass>;
  const { methods, constructorParameters } = collectRecords(Tools);
  expect(constructorParameters.get(1)).toMatchObject([{ kind: 'inject', options: { token: 'dsn' } }]);
  const find = methods.find(({ method }) => method === 'find')!;
  expect(find.parameters.get(1)!.map(({ kind }) => kind)).toEqual(['schema', 'completion']);
  expect(methods.find(({ method }) => method === 'fixed')).toMatchObject({ static: true });
});

test('options are recorded as written and never changed', () => {
  const options = Object.freeze({ name: 'frozen', annotations: Object.freeze({ readOnlyHint: true }) });
  (globalThis as { options?: unknown }).options = options;
  const { Tools } = compileModule(
    `import { McpTool } from '@toolwright/core';
     export class Tools { @McpTool(globalThis.options) find() {} }`,
    'tsc',
    'legacy',
  ) as Record<'Tools', AnyClass>;
  expect(collectRecords(Tools).methods[0]!.records[0]!.options).toBe(options);
});
