import {
  CompletionProvider,
  Injectable,
  McpPrompt,
  McpResource,
  McpResourceTemplate,
  McpService,
  McpTool,
  ToolContext,
  type ServerOptions,
} from '@toolwright/core';
import { classId, MANIFEST_FORMAT, type Manifest, shapeOf, toolId } from '@toolwright/manifest';
import type { Json } from './wire.js';
import { MARK, NAME } from './marks.js';
import type { World } from './world.js';

const FILE = 'src/author.ts';
const location = { file: FILE, line: 1, column: 1 };

/** Where a resource and a template are read. */
export const URI = 'ways://subject';
export const TEMPLATE = 'ways://subjects/{of}';

const decorators = {
  tool: () => McpTool({ name: NAME, annotations: { readOnlyHint: true } }),
  prompt: () => McpPrompt({ name: NAME }),
  resource: () => McpResource({ name: NAME, uri: URI, mimeType: 'text/plain' }),
  resourceTemplate: () => McpResourceTemplate({ name: NAME, uriTemplate: TEMPLATE, mimeType: 'text/plain' }),
};

type Kind = keyof typeof decorators;

/** A class with one decorated method, and what the compiler says about it. */
export function authored(
  world: World,
  kind: Kind,
  { completes = false } = {},
): Pick<ServerOptions, 'services' | 'manifest' | 'providers'> {
  const { uses = [], of = { type: 'string' }, output, revive, definition } = world.plan;
  const takes = kind === 'resource' ? [] : ['of'];

  @McpService()
  class Author {
    subject(...given: unknown[]): unknown {
      const ctx = given.pop() as ToolContext;
      return world.run(Object.fromEntries(takes.map((name, at) => [name, given[at]])), ctx);
    }
  }
  const decorate = decorators[kind];
  const method = Object.getOwnPropertyDescriptor(Author.prototype, 'subject')!;
  const all = [...uses.map(([policy, ...args]) => policy(...(args as never[]))), decorate()];
  if (kind === 'tool' && definition)
    all.splice(-1, 1, McpTool({ name: NAME, annotations: { readOnlyHint: true }, ...definition }));
  if (completes) all.push(CompletionProvider({ provider: Values, argument: 'of' }) as never);
  for (const decorator of all) (decorator as MethodDecorator)(Author.prototype, 'subject', method);
  return {
    services: [Author],
    manifest: manifestOf(kind, takes, { of, output, revive }),
    ...(completes && { providers: [{ provide: Values, useValue: valuesOf(world) }] }),
  };
}

@Injectable()
class Values {
  complete(_value: string): string[] {
    return [];
  }
}

const valuesOf = (world: World) => ({
  complete: async (value: string) => [String((await world.run({ of: value }, undefined as never)) ?? MARK)],
});

function manifestOf(
  kind: Kind,
  takes: readonly string[],
  { of, output, revive }: { of: Json; output: Json | undefined; revive: Json | undefined },
): Manifest {
  const parameters = [
    ...takes.map((name) => ({ name, kind: 'argument' as const })),
    { name: 'ctx', kind: 'inject' as const, inject: 'ToolContext' as const },
  ];
  const hasOutput = kind === 'tool' && output !== undefined;
  const properties = Object.fromEntries(takes.map((name) => [name, of]));
  return {
    format: MANIFEST_FORMAT,
    compiler: 'test',
    package: 'ways',
    sourceHash: '',
    schemas: {
      input: { type: 'object', properties, additionalProperties: false },
      ...(hasOutput && { output }),
    },
    classes: { [classId(FILE, 'Author')]: { name: 'Author', location } },
    entries: [
      {
        key: toolId({ file: FILE, className: 'Author', method: 'subject' }),
        class: classId(FILE, 'Author'),
        method: 'subject',
        kinds: [kind],
        description: 'Does what its author says.',
        parameters,
        input: 'input',
        output: hasOutput ? 'output' : null,
        wrap: false,
        stream: false,
        flatten: false,
        revive: revive ? { input: { of: revive } } : {},
        location,
        shape: shapeOf('Author', [{ method: 'subject', arity: 0 }]),
      },
    ],
  } as unknown as Manifest;
}
