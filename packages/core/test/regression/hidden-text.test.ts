import { ConfigurationError, type McpServer, type ServerOptions } from '@toolwright/core';
import type {
  PromptDefinition,
  ResourceDefinition,
  ResourceTemplateDefinition,
  ToolDefinition,
} from '@toolwright/core/operate';
import { compileModule } from '../compile/compile-module.js';
import { handMadeManifest } from '../packages/hand-made-manifest.js';
import { boot, problemsOf } from '../support/booting.js';

const handler = () => 'x';
const icons = [{ src: 'https://a.example/i.png', mimeType: 'image/png', sizes: ['48x48'] }];
const meta = { vendor: { note: 'a note', tags: ['a tag'] } };

const tool: ToolDefinition = {
  name: 'find_city',
  title: 'Find a city',
  description: 'Find a city.',
  annotations: { title: 'City', readOnlyHint: true },
  icons,
  meta,
  ui: { resourceUri: 'ui://a/page' },
  inputSchema: {
    type: 'object',
    title: 'Arguments',
    properties: {
      city: {
        type: 'string',
        description: 'which city',
        enum: ['Bern'],
        default: 'Bern',
        examples: ['Bern'],
        pattern: '^B',
        $comment: 'a comment',
      },
      kind: { const: 'town' },
      more: { type: 'array', items: { $ref: '#/$defs/More' } },
    },
    patternProperties: { '^x-': { type: 'string' } },
    required: ['city'],
    $defs: { More: { type: 'object', properties: { deep: { description: 'deep down' } } } },
    'x-custom': { anything: ['at all'] },
  },
  outputSchema: { type: 'object', properties: { name: { type: 'string', description: 'its name' } } },
  handler,
};
const prompt: PromptDefinition = {
  name: 'plan_day',
  title: 'Plan',
  description: 'Plan a day.',
  icons,
  meta,
  arguments: [{ name: 'city', title: 'City', description: 'where' }],
  complete: { city: Object.assign(() => ['Bern'], { values: ['Bern'] }) },
  handler,
};
const resource: ResourceDefinition = {
  name: 'page',
  uri: 'ui://b/page',
  title: 'Page',
  description: 'A page.',
  mimeType: 'text/html;profile=mcp-app',
  annotations: { audience: ['user'], lastModified: '2026-01-01T00:00:00Z' },
  icons,
  meta,
  ui: { csp: { connectDomains: ['https://a.example'] }, domain: 'a' },
  handler,
};
const template: ResourceTemplateDefinition = {
  name: 'city',
  uriTemplate: 'city://{name}',
  title: 'City',
  description: 'A city.',
  mimeType: 'text/plain',
  icons,
  meta,
  handler,
};
const options: Partial<ServerOptions> = {
  name: 'cities',
  version: '1.0.0',
  about: { title: 'Cities', description: 'All cities.', icons, websiteUrl: 'https://a.example' },
  instructions: 'Use find_city first.',
};

/** Every copy of a value with one more hidden character at the end of one text or name, with its place. */
function* poisoned(value: unknown, place: string): Generator<[place: string, value: unknown]> {
  if (typeof value === 'string') yield [place, `${value}\u{E0041}`];
  if (typeof value !== 'object' || value === null) return;
  const entries = Object.entries(value);
  const make = (changed: [string, unknown][]) =>
    Array.isArray(value) ? changed.map(([, item]) => item) : Object.fromEntries(changed);
  for (const [index, [key, part]] of entries.entries()) {
    for (const [at, other] of poisoned(part, `${place}.${key}`))
      yield [at, make(entries.with(index, [key, other]))];
    // Names that come from code cannot contain hidden characters: those of options.
    if (/Schema|meta|x-/.test(place) && !Array.isArray(value))
      yield [`${place}.${key} (name)`, make(entries.with(index, [`${key}\u200b`, part]))];
  }
}

const codesOf = (act: () => unknown): string[] => {
  try {
    act();
    return [];
  } catch (error) {
    expect(error).toBeInstanceOf(ConfigurationError);
    return (error as ConfigurationError).problems.map(({ code }) => code);
  }
};

describe('a hidden character anywhere in published text', () => {
  let server: McpServer;
  beforeEach(async () => {
    server = await boot({ services: [] });
    server.resources.add({ uri: 'ui://a/page', name: 'a', ui: {}, handler });
  });
  afterEach(() => server.close(0));

  const kinds = [
    ['tool', tool, (each: unknown) => server.tools.add(each as ToolDefinition)],
    ['prompt', prompt, (each: unknown) => server.prompts.add(each as PromptDefinition)],
    ['resource', resource, (each: unknown) => server.resources.add(each as ResourceDefinition)],
    [
      'template',
      template,
      (each: unknown) => server.resourceTemplates.add(each as ResourceTemplateDefinition),
    ],
  ] as const;

  test.each(kinds)('keeps a %s from being added', (kind, definition, add) => {
    expect(codesOf(() => add(definition))).toEqual([]);
    const places = [...poisoned(definition, kind)];
    expect(places.length).toBeGreaterThan(10);
    // The author does not choose the type of an app, and an audience is one of two words.
    const chosen = places.filter(([place]) => !/^resource\.mimeType$|\.audience\./.test(place));
    const missed = chosen.filter(([, each]) => !codesOf(() => add(each)).includes('TW_TEXT_HIDDEN'));
    expect(missed.map(([place]) => place)).toEqual([]);
  });

  test('keeps a tool from being changed', () => {
    server.tools.add(tool);
    const inputSchema = { type: 'object', properties: { a: { description: 'a\u202e' } } };
    expect(codesOf(() => server.tools.update('find_city', { inputSchema }))).toEqual(['TW_TEXT_HIDDEN']);
  });

  test("keeps a server from starting if it is in the server's own description", async () => {
    for (const [place, each] of poisoned(options, 'options')) {
      const problems = await problemsOf(each as Partial<ServerOptions>);
      expect([place, problems.map(({ code }) => code)]).toEqual([place, ['TW_TEXT_HIDDEN']]);
    }
  });

  test('keeps a decorated service from starting: in its schema, its annotations, its completions', async () => {
    const { Cities } = compileModule(
      `import { CompletionProvider, McpPrompt, McpService, McpTool } from '@toolwright/core';
       @McpService() export class Cities {
         @McpTool({ annotations: { title: 'Find\\u200b' } }) find(city) {}
         @McpPrompt() plan(@CompletionProvider({ values: ['Bern\\u200b'] }) city) {}
       }`,
      'swc',
      'legacy',
    );
    const manifest = handMadeManifest({
      file: 'src/cities.ts',
      name: 'Cities',
      methods: { find: ['city'], plan: ['city'] },
    });
    manifest.schemas['city']!.properties!['city']!.description = 'which\u{E0041}';
    const problems = await problemsOf({ services: [Cities!], manifest });
    const place = 'inputSchema.properties.city.description';
    expect(problems.map(({ message }) => message)).toEqual([
      `The tool "find" has the hidden character U+E0041 in its ${place}.`,
      'The tool "find" has the hidden character U+200B in its annotations.title.',
      expect.stringContaining('The prompt "plan" has the hidden character U+E0041'),
      'The prompt "plan" has the hidden character U+200B in its completions[0].values[0].',
    ]);
  });

  test('is reported with its place, and never repeated in the message', () => {
    const act = () =>
      server.tools.add({ ...tool, inputSchema: { type: 'object', properties: { 'a\u200b': {} } } });
    expect(act).toThrow(/U\+200B in its inputSchema\.properties\.a\\u\{200b\}/);
    expect(act).not.toThrow(/\u200b/);
  });
});
