import type { McpServer, ServerOptions } from '@toolwright/core';
import { serveTasks, type ToolDefinition } from '@toolwright/core/operate';
import { MemoryEventBus } from '@toolwright/core/ports';
import { MemoryTaskQueue } from '@toolwright/testing';
import { StatelessWire } from '../wire/stateless-wire.js';
import { boot } from './booting.js';
import { FakeClock, settled } from './fake-clock.js';
import { Gates } from './gates.js';
import { RecordingLogger } from './recording-logger.js';
import { RecordingSink } from './recording-sink.js';
import { EXTENSION } from './task-fixture.js';

export const queueSecret = 'q'.repeat(32);

type Args = Record<string, unknown>;

/** Processes of one server that share a task queue. One serves clients; others work. */
export class QueueFleet {
  readonly clock = new FakeClock();
  readonly queue = new MemoryTaskQueue(this.clock);
  readonly bus = new MemoryEventBus();
  readonly gates = new Gates();
  readonly logger = new RecordingLogger();
  readonly sink = new RecordingSink();
  /** What tools have done. */
  readonly acts: string[] = [];
  /** What a process gets as its queue. A test may give it one that behaves otherwise. */
  odd: Partial<MemoryTaskQueue> = {};
  web!: McpServer;
  readonly #running: McpServer[] = [];

  /** @param concurrency how many tasks the process works on; 0: none */
  async start(
    concurrency: number,
    tools: readonly ToolDefinition[],
    options: Partial<ServerOptions> = {},
  ): Promise<McpServer> {
    const tasks = Object.assign(this.queue.peer(), this.odd);
    const stores = [{ tasks }, ...[options.stores ?? []].flat()];
    const server = await this.#boot(tools, { secrets: [queueSecret], ...options, stores });
    if (concurrency > 0) await serveTasks(server, { concurrency, signals: false });
    return server;
  }

  /** A process that runs its tasks itself. */
  startInProcess(tools: readonly ToolDefinition[]): Promise<McpServer> {
    return this.#boot(tools, {});
  }

  async #boot(tools: readonly ToolDefinition[], options: Partial<ServerOptions>): Promise<McpServer> {
    const { clock, bus, logger, sink: audit } = this;
    const limits = { rateLimit: false, concurrency: false, timeout: false } as const;
    const server = await boot({
      ...limits,
      ...{ ports: { clock }, logger, audit },
      ...options,
      stores: [{ bus }, ...[options.stores ?? []].flat()],
    });
    for (const tool of tools) server.tools.add({ description: tool.name, task: 'optional', ...tool });
    this.#running.push(server);
    return server;
  }

  /** A process for clients and one that works, with the same tools. */
  async serve(tools: readonly ToolDefinition[], options: Partial<ServerOptions> = {}): Promise<void> {
    this.web = await this.start(0, tools, options);
    await this.start(10, tools, options);
  }

  /** The processes, in the order in which they started. */
  running(): readonly McpServer[] {
    return this.#running;
  }

  async stop(): Promise<void> {
    const closing = Promise.all(this.#running.splice(0).map((server) => server.close(0)));
    await this.clock.advance(0);
    await closing;
  }

  client(capabilities: object = { elicitation: {} }): StatelessWire {
    return StatelessWire.of(this.web, 'ada', { extensions: { [EXTENSION]: {} }, ...capabilities });
  }

  /** The id of the task that a call becomes. */
  async begin(name: string, args: Args = {}, params: Args = {}): Promise<string> {
    const { result } = await this.client().call(name, args, params);
    expect(result).toMatchObject({ resultType: 'task' });
    return result.taskId as string;
  }

  /** The task, when nothing goes on by itself any more. */
  async get(taskId: string): Promise<any> {
    await settled();
    return (await this.client().request('tasks/get', { taskId })).result;
  }

  update(taskId: string, inputResponses: Args) {
    return this.client().request('tasks/update', { taskId, inputResponses });
  }

  cancel(taskId: string) {
    return this.client().request('tasks/cancel', { taskId });
  }

  async textOf(taskId: string): Promise<string> {
    const { status, result, error } = await this.get(taskId);
    return result ? result.content[0].text : `${status}: ${error?.message}`;
  }
}

/** A tool that waits at the gate of its argument. */
export function gatedWork(fleet: QueueFleet, rest: Partial<ToolDefinition> = {}): ToolDefinition {
  return {
    name: 'work',
    inputSchema: { type: 'object', properties: { gate: { type: 'string' } } },
    async handler({ gate }, { signal }) {
      fleet.acts.push(`began ${String(gate)}`);
      await fleet.gates.wait(String(gate), signal);
      return `through ${String(gate)}`;
    },
    ...rest,
  };
}

let fleet: QueueFleet | undefined;

/** A fleet that is stopped after the test. */
export function queueFleet(): QueueFleet {
  return (fleet = new QueueFleet());
}

export async function stopQueueFleet(): Promise<void> {
  await fleet?.stop();
  fleet = undefined;
}
