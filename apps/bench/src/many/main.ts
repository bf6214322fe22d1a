import { createRequire } from 'node:module';
import { join } from 'node:path';
import { createMcpServer, type McpServer, type ServerOptions } from '@toolwright/core';
import { SERVER_INFO } from '../contestants/work.js';
import { generateOnce } from '../generate/generate.js';
import { cleanUpAtExit } from '../processes/clean-up.js';

const ADDED = 4_737;
const BOOTED = 5_000;

/** What a span took. The processor's time does not depend on what else the machine does. */
interface Spent {
  readonly wall: number;
  readonly cpu: number;
}

async function spent(work: () => unknown): Promise<Spent> {
  const before = process.cpuUsage();
  const began = performance.now();
  await work();
  const wall = performance.now() - began;
  const { user, system } = process.cpuUsage(before);
  return { wall, cpu: (user + system) / 1_000 };
}

function print(title: string, { wall, cpu }: Spent, count = 1): void {
  console.log(`${title}: ${(wall / count).toFixed(3)} ms, ${(cpu / count).toFixed(3)} ms of CPU`);
}

const annotations = { readOnlyHint: true, openWorldHint: false };

/** A tool as another server publishes it. */
const toolOf = (id: number) => ({
  name: `tool_${id}`,
  description: `Does ${id}. Returns a text.`,
  annotations,
  inputSchema: {
    type: 'object',
    properties: {
      id: { type: 'string', minLength: 1, description: `the id of ${id}` },
      limit: { type: 'integer', minimum: 1, maximum: 100, default: 10 },
      page: {
        type: 'object',
        properties: { title: { type: 'string' }, tags: { type: 'array', items: { type: 'string' } } },
        required: ['title'],
      },
    },
    required: ['id'],
    additionalProperties: false,
  },
  handler: () => 'done',
});

const open = (options: Partial<ServerOptions> = {}): Promise<McpServer> =>
  createMcpServer({ ...SERVER_INFO, audit: false, ...options });

/** Prints what adding tools costs in each thousand, alone and as a list, and the boot of a server of 5,000. */
async function main(): Promise<void> {
  cleanUpAtExit();
  const server = await open();
  for (let from = 0; from < ADDED; from += 1_000) {
    const to = Math.min(from + 1_000, ADDED);
    const add = () => {
      for (let id = from; id < to; id++) server.tools.add(toolOf(id));
    };
    print(`tools.add, each of ${from} to ${to}`, await spent(add), to - from);
  }
  const other = await open();
  const list = Array.from({ length: ADDED }, (_, id) => toolOf(id));
  print(`tools.add, a list of ${ADDED}`, await spent(() => other.tools.add(list)));
  await Promise.all([server.close(), other.close()]);

  const folder = join(generateOnce()(BOOTED), 'toolwright', 'dist', 'services.js');
  const { services } = createRequire(folder)(folder) as Pick<ServerOptions, 'services'>;
  print(`boot of ${BOOTED} decorated tools`, await spent(async () => (await open({ services })).close()));
}

void main();
