import { ConfigurationError, createMcpServer, McpService, McpTool, RateLimit } from '@toolwright/core';
import { type Logger, MemoryEventBus, silentLogger } from '@toolwright/core/ports';
import { handMadeManifest } from './packages/hand-made-manifest.js';
import { boot } from './support/booting.js';

const file = 'src/tools.ts';

describe('options', () => {
  test('all problems are reported together', async () => {
    const options = {
      name: '',
      version: 1,
      servces: [],
      lists: { pageSize: 0 },
      audit: {},
      services: ['Tools'],
    } as never;
    const error = (await createMcpServer(options).catch((reason: unknown) => reason)) as ConfigurationError;
    expect(error.problems.map(({ message }) => message)).toEqual([
      'There is no option "servces". Did you mean \'services\'?',
      'The option "name" must be a non-empty string, not "".',
      'The option "version" must be a non-empty string, not 1.',
      'The option "services" must be a list of classes, but services[0] is "Tools".',
      'The option "audit" must be { file }, an audit sink, or false, not object.',
      'The option "lists.pageSize" must be a positive integer, not 0.',
    ]);
  });

  test.each([
    [['short'], 'not a list with a string of another form'],
    [['a secret that is long enough, really', ''], 'not a list with an empty string'],
    [[], 'not a list of nothing'],
    ['', 'not an empty string'],
    ['sesame', 'not a string of another form'],
  ])('the secrets %j are refused, and the message shows nothing of them', async (secrets, reason) => {
    const booted = createMcpServer({ name: 'pages', version: '1.0.0', secrets } as never);
    const { problems } = (await booted.catch((error: unknown) => error)) as ConfigurationError;
    expect(problems.map(({ message }) => message)).toEqual([
      `The option "secrets" must be a list of one or more secrets, each of at least 32 characters, ${reason}.`,
    ]);
  });

  test('the server warns about a tool that says too little about itself', async () => {
    const warnings: string[] = [];
    const logger: Logger = { ...silentLogger, warn: (_, message) => warnings.push(message) };
    @McpService()
    class Quiet {
      @McpTool({ description: '' })
      say(text: string): string {
        return text;
      }
    }
    await boot({
      services: [Quiet],
      logger,
      manifest: handMadeManifest({ file, name: 'Quiet', methods: { say: ['text'] } }),
    });
    expect(warnings).toEqual([
      expect.stringContaining('no description'),
      expect.stringContaining('no annotations'),
    ]);
  });
});

test('a tool can be explained: its schemas, policies and the steps of its chain', async () => {
  @McpService()
  class Guarded {
    @McpTool({ annotations: { destructiveHint: true } })
    @RateLimit({ points: 5, per: '1m' })
    say(text: string): string {
      return text;
    }
  }
  const server = await boot({
    services: [Guarded],
    manifest: handMadeManifest({ file, name: 'Guarded', methods: { say: ['text'] } }),
  });
  expect(server.explain('say')).toMatchObject({
    name: 'say',
    key: 'src/tools.ts#Guarded.say',
    location: expect.stringMatching(/server\.test\.ts:\d+:\d+$/),
    input: { required: ['text'] },
    output: null,
    policies: [{ name: 'rateLimit', origin: 'method' }],
    steps: expect.arrayContaining([expect.objectContaining({ origin: 'method' })]),
  });
  expect(server.explain('nothing')).toBeUndefined();
});

test('a change for reasons of the application is announced', async () => {
  const bus = new MemoryEventBus();
  const events: string[] = [];
  bus.subscribe(({ type }) => events.push(type));
  const server = await boot({ services: [], stores: { bus } });
  server.tools.announceChange();
  server.prompts.announceChange();
  server.resources.announceChange();
  expect(events).toEqual(['toolsListChanged', 'promptsListChanged', 'resourcesListChanged']);
});
