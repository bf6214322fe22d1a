import type { ConsoleMethod, Hub, ParamsOf, ResultOf } from '@toolwright/console';
import { reasonOf } from '@toolwright/json';
import { loadCore } from '../../load-core.js';

type Given = Readonly<Record<string, unknown>>;
type OwnCall = ResultOf<'startCall'>;

/** After how many milliseconds of a call the agent gets the answer that it still runs. */
const PATIENCE_MS = 60_000;

/** What an agent can do with the console. The agent gets failures as results. */
export class AgentTools {
  constructor(private readonly hub: Hub) {}

  status(): Promise<object> {
    return this.#ask('overview', {});
  }

  async list({ server, as }: Given): Promise<object> {
    const surface = await this.#ask('surface', {
      server: await this.#server(server),
      ...(as ? { as: as as never } : {}),
    });
    const operations = surface.operations.map(({ kind, key, listed, method, location }) => ({
      kind,
      key,
      method,
      location,
      listed,
    }));
    return { operations, hidden: surface.hidden, scopes: surface.scopes };
  }

  async call({ tool, arguments: args = {}, server, as }: Given): Promise<object> {
    const request = { server: await this.#server(server), kind: 'tool', key: tool, arguments: args };
    return this.#follow(() =>
      this.#ask('startCall', { ...request, ...(as ? { as } : {}) } as ParamsOf<'startCall'>),
    );
  }

  answer({ call, question, answer }: Given): Promise<object> {
    return this.#follow(() =>
      this.#ask('answerQuestion', { call, question, answer } as ParamsOf<'answerQuestion'>),
    );
  }

  async follow({ call }: Given): Promise<object> {
    const own = await this.#ask('ownCalls', {});
    const found = own.find(({ id }) => id === call);
    if (!found) throw new (loadCore().ToolError)('There is no such call. It may be too old.');
    return this.#follow(() => Promise.resolve(found), 'ended');
  }

  async calls({ after, limit }: Given): Promise<object> {
    return { calls: pageOf(await this.#ask('calls', since(after)), limit, after) };
  }

  async traffic({ after, limit }: Given): Promise<object> {
    return { messages: pageOf(await this.#ask('messages', since(after)), limit, after) };
  }

  async problems({ server }: Given): Promise<object> {
    return this.#ask('contract', { server: typeof server === 'string' ? server : '' });
  }

  async explain({ tool, server }: Given): Promise<object> {
    const asked = { server: await this.#server(server), tool: tool as string };
    const [explanation, origins] = await Promise.all([
      this.#ask('explain', asked),
      this.#ask('origins', asked),
    ]);
    return { ...explanation, origins };
  }

  /** The only server, unless one is named. */
  async #server(named: unknown): Promise<string> {
    if (typeof named === 'string') return named;
    const { servers, app } = await this.#ask('overview', {});
    if (servers.length === 1) return servers[0]!.id;
    const { ToolError } = loadCore();
    if (servers.length > 1)
      throw new ToolError(`Name the server: ${servers.map(({ id }) => id).join(', ')}.`);
    throw new ToolError(`The app has no server: it is ${app}. Ask read_problems.`);
  }

  /** @param until `asking`: waits until the call has ended or asks something */
  async #follow(start: () => Promise<OwnCall>, until: 'asking' | 'ended' = 'asking'): Promise<object> {
    const isReached = ({ state }: OwnCall) => state === 'ended' || state === until;
    let last: OwnCall | undefined;
    let settle: () => void = () => undefined;
    const settled = new Promise<void>((resolve) => (settle = resolve));
    const later: OwnCall[] = [];
    const hear = (call: OwnCall) => {
      if (!last) return void later.push(call);
      if (call.id !== last.id) return;
      last = call;
      if (isReached(call)) settle();
    };
    const stop = this.hub.subscribe((event) => event.type === 'ownCall' && hear(event.call));
    const timer = setTimeout(settle, PATIENCE_MS);
    try {
      last = await start();
      if (isReached(last)) settle();
      later.forEach(hear);
      await settled;
      return { ...last, traced: this.#traceOf(last) };
    } finally {
      clearTimeout(timer);
      stop();
    }
  }

  /** What the guards did with a call of the console. */
  #traceOf({ request, at }: OwnCall) {
    const { calls } = this.hub.recordings.api;
    const own = (calls({}) as ResultOf<'calls'>).filter(
      ({ record }) => record.name === request.key && record.at >= at && record.transport === 'memory',
    );
    return own.at(-1)?.record.steps ?? [];
  }

  async #ask<M extends ConsoleMethod>(method: M, params: ParamsOf<M>): Promise<ResultOf<M>> {
    try {
      return await this.hub.ask(method, params);
    } catch (error) {
      // A refusal of the console is for whoever asks, and the agent is the developer's own.
      throw new (loadCore().ToolError)(reasonOf(error));
    }
  }
}

const since = (after: unknown) => (typeof after === 'number' ? { after } : {});

/** The next records after a number; without one, the newest. */
function pageOf<T>(records: readonly T[], limit: unknown, after: unknown): readonly T[] {
  const count = typeof limit === 'number' ? limit : 20;
  return after === undefined ? records.slice(-count) : records.slice(0, count);
}
