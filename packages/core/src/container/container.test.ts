import { Inject, Injectable } from '../decorators/mcp-service.js';
import type { ParameterType } from './constructor-dependencies.js';
import { Container } from './container.js';
import { Kernel } from './kernel.js';
import { type InjectionToken, type Provider, Token } from './provider.js';

async function build(token: InjectionToken, ...providers: Provider[]): Promise<unknown> {
  const container = new Container(new Map());
  providers.forEach((provider) => container.provide(provider));
  const node = container.link(token);
  expect(container.takeProblems()).toEqual([]);
  const kernel = new Kernel(() => undefined);
  await kernel.start([node!]);
  return kernel.get(node!);
}

function problemsOf(token: InjectionToken, ...providers: Provider[]) {
  const container = new Container(new Map());
  providers.forEach((provider) => container.provide(provider));
  expect(container.link(token)).toBeUndefined();
  return container.takeProblems();
}

@Injectable()
class Leaf {
  readonly name = 'leaf';
}

interface Shape {
  sides: number;
}
const SHAPE = new Token<Shape>('shape');

@Injectable()
class Tree {
  constructor(
    readonly leaf: Leaf,
    @Inject(SHAPE) readonly shape: Shape,
    @Inject('dsn') readonly dsn: string,
  ) {}
}

const shape: Provider = { provide: SHAPE, useValue: { sides: 3 } };
const dsn: Provider = { provide: 'dsn', useFactory: async () => 'postgres://' };

describe('building', () => {
  test('constructor parameters are injected by type and by token', async () => {
    const tree = (await build(Tree, shape, dsn)) as Tree;
    expect(tree.leaf).toBeInstanceOf(Leaf);
    expect([tree.shape, tree.dsn]).toEqual([{ sides: 3 }, 'postgres://']);
  });

  test('a factory gets the dependencies that it lists, in that order, and may be async', async () => {
    const made = await build(
      'made',
      {
        provide: 'made',
        inject: ['dsn', Leaf],
        useFactory: async (url: string, leaf: Leaf) => [url, leaf.name],
      },
      dsn,
    );
    expect(made).toEqual(['postgres://', 'leaf']);
  });

  test('an alias is the same instance with another token', async () => {
    const both = (await build(
      'both',
      { provide: 'both', inject: ['other', Leaf], useFactory: (a: Leaf, b: Leaf) => a === b },
      { provide: 'other', useExisting: Leaf },
    )) as boolean;
    expect(both).toBe(true);
  });

  test('an abstract class is a token like any other', async () => {
    abstract class Clock {
      abstract now(): number;
    }
    class FixedClock extends Clock {
      override now() {
        return 42;
      }
    }
    expect(((await build(Clock, { provide: Clock, useClass: FixedClock })) as Clock).now()).toBe(42);
  });

  test('the later provider of a token replaces the earlier', async () => {
    expect(await build('x', { provide: 'x', useValue: 1 }, { provide: 'x', useValue: 2 })).toBe(2);
  });

  test('an optional dependency that nobody provides is undefined', async () => {
    const made = await build('made', {
      provide: 'made',
      inject: [{ token: 'nothing', optional: true }],
      useFactory: (nothing: unknown) => ({ nothing }),
    });
    expect(made).toEqual({ nothing: undefined });
  });

  test('a forward reference names a class that is declared further down', async () => {
    @Injectable()
    class Early {
      constructor(@Inject(() => Late) readonly late: { ready: boolean }) {}
    }
    @Injectable()
    class Late {
      readonly ready = true;
    }
    expect(((await build(Early)) as Early).late.ready).toBe(true);
  });

  test('if the build emits no types, those of the manifest are used', async () => {
    class Plain {
      constructor(readonly leaf: Leaf) {}
    }
    const types = new Map<never, readonly ParameterType[]>([
      [Plain as never, [{ name: 'leaf', type: 'Leaf', token: Leaf }]],
    ]);
    const container = new Container(types);
    container.provide(Plain);
    const node = container.link(Plain)!;
    const kernel = new Kernel(() => undefined);
    await kernel.start([node]);
    expect((kernel.get(node) as Plain).leaf).toBeInstanceOf(Leaf);
  });
});

describe('problems', () => {
  test('a missing dependency is reported with its path, its position and the fix', () => {
    const [problem, second] = problemsOf(Tree, dsn);
    expect(problem).toMatchObject({
      code: 'TW_DEPENDENCY_MISSING',
      message: 'Nothing provides Token(shape): Tree needs Token(shape) as parameter 1.',
      fix: "Add { provide: Token(shape), … } to the server's providers.",
      location: expect.stringContaining('container.test.ts'),
    });
    expect(second).toBeUndefined();
  });

  test('everything that is missing is reported once', () => {
    class Two {}
    const problems = problemsOf('root', {
      provide: 'root',
      inject: [Tree, Two, Two],
      useFactory: (..._: unknown[]) => 0,
    });
    expect(problems.map(({ message }) => message)).toEqual([
      expect.stringContaining('Token(shape)'),
      expect.stringContaining('"dsn"'),
      expect.stringContaining('Two'),
    ]);
    expect(problems[2]!.fix).toContain('@Injectable()');
  });

  test('the path reads as a sentence, and the fix for an abstract class is not a decorator', () => {
    abstract class Store {
      abstract find(): string;
    }
    // @ts-expect-error -- it cannot be built
    void (() => Injectable()(Store));
    @Injectable()
    class Middle {
      constructor(readonly store: Store) {}
    }
    @Injectable()
    class Outer {
      constructor(readonly middle: Middle) {}
    }
    expect(problemsOf(Outer)).toEqual([
      expect.objectContaining({
        message:
          'Nothing provides Store: Outer needs Middle as parameter 0, which needs Store as parameter 0.',
        fix: expect.stringMatching(/If it is abstract, .* add \{ provide: Store, useClass: … \}/),
      }),
    ]);
    expect(problemsOf('nobody')).toMatchObject([{ message: 'Nothing provides "nobody".' }]);
  });

  test('a cycle is reported with its path', () => {
    const [problem] = problemsOf(
      'a',
      { provide: 'a', inject: ['b'], useFactory: (..._: unknown[]) => 0 },
      { provide: 'b', useExisting: 'c' },
      { provide: 'c', inject: ['a'], useFactory: (..._: unknown[]) => 0 },
    );
    expect(problem).toMatchObject({
      code: 'TW_DEPENDENCY_CIRCULAR',
      message: expect.stringContaining(
        '"a" needs "b" as inject[0] of its factory, which is an alias of "c", which needs "a" as inject[0] of its factory.',
      ),
    });
  });

  test('a singleton cannot depend on something that lives for one call', () => {
    const [problem] = problemsOf(
      'long',
      { provide: 'long', inject: ['short'], useFactory: (..._: unknown[]) => 0 },
      { provide: 'short', scope: 'request', useFactory: () => 0 },
    );
    expect(problem).toMatchObject({
      code: 'TW_DEPENDENCY_CAPTIVE',
      message: expect.stringContaining('"short"'),
    });
  });

  test('for an interface as a type, the error names the parameter and the fix', () => {
    @Injectable()
    class Wants {
      constructor(readonly shape: Shape) {}
    }
    expect(problemsOf(Wants)).toEqual([
      expect.objectContaining({
        code: 'TW_DEPENDENCY_UNKNOWN',
        message: expect.stringContaining('parameter 0 of the constructor of Wants'),
        fix: expect.stringContaining('@Inject(token)'),
      }),
    ]);
  });

  test('for a class without parameter types, the error names the missing compiler options', () => {
    class Plain {
      constructor(readonly shape: Shape) {}
    }
    expect(problemsOf(Plain, Plain)[0]).toMatchObject({
      code: 'TW_DEPENDENCY_UNKNOWN',
      fix: expect.stringMatching(/providers.*experimentalDecorators and emitDecoratorMetadata/),
    });
  });

  test('a parameter with a default needs no provider', async () => {
    @Injectable()
    class Lenient {
      constructor(readonly shape: Shape = { sides: 4 }) {}
    }
    expect(((await build(Lenient)) as Lenient).shape).toEqual({ sides: 4 });
  });
});
