import type { Manifest } from '@toolwright/manifest';
import { buildManifest } from '@toolwright/schema-compiler';
import type { Provider, ServerOptions } from '@toolwright/core';
import { TemporaryProject } from '../../schema-compiler/test/temporary-project.js';
import { compileModule, compileWithoutTypes, type DecoratorMode } from './compile/compile-module.js';
import { handMadeManifest } from './packages/hand-made-manifest.js';
import { answer, problemsOf } from './support/booting.js';

/** No parameter has a decorator, so that both kinds of decorators compile it. */
const SOURCE = `
  import { CompletionProvider, Inject, Injectable, McpPrompt, McpService, McpTool, Token } from '@toolwright/core';

  export abstract class Clock { abstract now(): string }
  export abstract class Speaker { abstract say(text: string): string }
  export class StandingClock extends Clock { now(): string { return 'noon' } }
  export class Loud extends Speaker {
    constructor(private readonly clock: Clock) { super() }
    say(text: string): string { return text.toUpperCase() + ' at ' + this.clock.now() }
  }

  export abstract class Base { constructor(protected readonly speaker: Speaker) {} }
  @Injectable() export class Store extends Base {
    find(query: string): string { return this.speaker.say(query) }
  }

  export interface Greeting { text: string }
  export const GREETING = new Token<Greeting>('greeting');

  @McpService() @Inject({ greeting: GREETING, missing: { token: 'nothing', optional: true } })
  export class Tools {
    constructor(
      private readonly store: Store,
      private readonly greeting: Greeting,
      private readonly missing?: string,
    ) {}
    /** Find. */
    @McpTool() find(query: string): string { return this.greeting.text + this.missing + this.store.find(query) }
    /** Write. */
    @McpTool() @Inject({ greeting: GREETING })
    write(query: string, store: Store, greeting: Greeting): string { return greeting.text + store.find(query) }
  }`;

let project: TemporaryProject;
let manifest: Manifest;

beforeAll(async () => {
  project = new TemporaryProject({ 'src/tools.ts': SOURCE });
  ({ manifest } = await buildManifest({ project: project.project, cache: false }));
});

afterAll(() => project.remove());

/** A process runs one bundle. Classes of an earlier test that look the same would make the new ones unclear. */
beforeEach(() => {
  delete (globalThis as Record<symbol, unknown>)[Symbol.for('toolwright.classes')];
});

/** The options of a server with the compiled classes. */
function optionsWith(classes: Record<string, never>, given: Manifest = manifest): Partial<ServerOptions> {
  const { Clock, StandingClock, Speaker, Loud, GREETING, Tools } = classes;
  return {
    services: [Tools!],
    manifest: given,
    providers: [
      { provide: Clock, useClass: StandingClock },
      { provide: Speaker, useClass: Loud },
      { provide: GREETING, useValue: { text: 'Hi ' } },
    ] as unknown as Provider[],
  };
}

const kinds: [DecoratorMode, 'kept' | 'shortened'][] = [
  ['legacy', 'kept'],
  ['legacy', 'shortened'],
  ['standard', 'kept'],
  ['standard', 'shortened'],
];

describe.each(kinds)('compiled with %s decorators, without types, with names %s', (mode, names) => {
  const options = () => optionsWith(compileWithoutTypes(SOURCE, mode, names));

  test('services, injectables, providers and their parents get what their constructors ask for', async () => {
    expect(await answer(options(), 'find')).toBe('Hi undefinedX at noon');
  });

  test('so do the parameters of methods', async () => {
    expect(await answer(options(), 'write')).toBe('Hi X at noon');
  });
});

test('with shortened names, the compiled classes really have other names', () => {
  const { Tools } = compileWithoutTypes(SOURCE, 'legacy', 'shortened') as unknown as {
    Tools: { name: string };
  };
  expect(Tools.name.length).toBeLessThan(3);
});

test('a manifest of an older compiler still boots a build with emitted types', async () => {
  const source = `
    import { Injectable, McpService, McpTool } from '@toolwright/core';
    @Injectable() export class Store { find() { return 'found' } }
    @McpService() export class Tools {
      constructor(private readonly store: Store) {}
      /** Find. */ @McpTool() find(query: string): string { return this.store.find() }
    }`;
  const older = handMadeManifest({ file: 'src/tools.ts', name: 'Tools', methods: { find: ['query'] } });
  const { Tools } = compileModule(source, 'tsc', 'legacy');
  expect(await answer({ services: [Tools!], manifest: older }, 'find')).toBe('found');
});

describe('problems', () => {
  const problemsWith = (change: (source: string) => string, classes: Record<string, never>) => {
    const other = new TemporaryProject({ 'src/tools.ts': change(SOURCE) });
    return buildManifest({ project: other.project, cache: false }).then(({ manifest: changed }) => {
      other.remove();
      return problemsOf(optionsWith(classes, changed));
    });
  };

  test('a name in @Inject that is no parameter is reported, on a class and on a method', async () => {
    const misspelt = SOURCE.replaceAll('greeting: GREETING', 'greting: GREETING');
    const problems = await problemsWith(() => misspelt, compileWithoutTypes(misspelt, 'standard'));
    expect(problems.map(({ message }) => message)).toEqual(
      expect.arrayContaining([
        expect.stringMatching(/@Inject on Tools names greting/),
        expect.stringMatching(/@Inject on Tools\.write names greting/),
      ]),
    );
  });

  test('two classes that look alike in a minified bundle are never mixed up', async () => {
    const twin = `${SOURCE} @McpService() export class Twin {
      constructor(private readonly store: Store, private readonly b: Store, private readonly c?: Store) {}
      /** Find. */ @McpTool() find(query: string): string { return 'twin' }
      /** Write. */ @McpTool() write(query: string): string { return 'twin' }
    }`;
    const problems = await problemsWith(() => twin, compileWithoutTypes(twin, 'legacy', 'shortened'));
    expect(problems.map(({ code }) => code)).toContain('TW_MANIFEST_UNMATCHED');
    expect(problems[0]!.message).toMatch(/src\/tools\.ts#Tools.*src\/tools\.ts#Twin/);
  });

  test('an id tells them apart', async () => {
    const twin = `${SOURCE.replace('@McpService()', "@McpService({ id: 'tools' })")} @McpService({ id: 'twin' }) export class Twin {
      constructor(private readonly store: Store, private readonly b: Store, private readonly c?: Store) {}
      /** Find. */ @McpTool() find(query: string): string { return 'twin' }
      /** Write. */ @McpTool() write(query: string): string { return 'twin' }
    }`;
    const other = new TemporaryProject({ 'src/tools.ts': twin });
    const { manifest: changed } = await buildManifest({ project: other.project, cache: false });
    other.remove();
    const classes = compileWithoutTypes(twin, 'legacy', 'shortened');
    expect(await answer(optionsWith(classes, changed), 'find')).toBe('Hi undefinedX at noon');
  });

  test('a class that the running program does not have is named, with the ways to keep it', async () => {
    const classes = compileWithoutTypes(SOURCE, 'standard');
    const absent = structuredClone(manifest);
    absent.classes['src/tools.ts#Tools']!.constructor![0]!.class = 'src/gone.ts#Gone';
    const [problem] = await problemsOf(optionsWith(classes, absent));
    expect(problem).toMatchObject({
      code: 'TW_DEPENDENCY_UNKNOWN',
      message: expect.stringMatching(/store: Store.*does not have its class/),
      fix: expect.stringMatching(/verbatimModuleSyntax/),
    });
  });
});

test('a derived class does not take over the types that the build emitted for its base', async () => {
  const source = `
    import { Injectable, McpService, McpTool } from '@toolwright/core';
    @Injectable() export class One { name = 'one' }
    @Injectable() export class Two { name = 'two' }
    export class Parent { constructor(readonly first: One) {} }
    @McpService() export class Child extends Parent {
      constructor(readonly second: Two) { super({ name: '' }) }
      /** Find. */ @McpTool() find(query: string): string { return this.second.name }
    }`;
  const other = new TemporaryProject({ 'src/tools.ts': source });
  const { manifest: built } = await buildManifest({ project: other.project, cache: false });
  other.remove();
  const { Child, Parent, One } = compileWithoutTypes(source, 'legacy');
  Reflect.defineMetadata('design:paramtypes', [One], Parent!);
  expect(await answer({ services: [Child!], manifest: built }, 'find')).toBe('two');
});
