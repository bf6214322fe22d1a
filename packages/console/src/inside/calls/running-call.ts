import { systemClock } from '@toolwright/core/ports';
import { randomBytes } from 'node:crypto';
import { capabilitiesOf, connect, RpcError, type InputHandlers, type McpClient } from '@toolwright/client';
import type { McpServer } from '@toolwright/core';
import { reasonOf, tokensOf, UriTemplate } from '@toolwright/json';
import { ConsoleRefusal } from '../../api/console-api.js';
import type { CallRequest, OwnCall, CallQuestion } from '../../api/call-api.js';
import { principalOf } from '../unseen-client.js';
import { findOperation } from '../surface/describe-operation.js';
import { followTask } from './follow-task.js';
import { requestOf } from './request-of.js';

type Answer = Readonly<Record<string, unknown>>;

/** One call that the console makes, from its start to its result. A person answers its questions. */
export class RunningCall {
  #soFar: OwnCall;
  #questions = 0;
  readonly #waiting = new Map<
    string,
    { readonly question: CallQuestion; readonly resolve: (answer: Answer) => void }
  >();
  readonly #abort = new AbortController();
  /** Its trace id tells the call from those of other clients. */
  readonly #traceparent = `00-${randomBytes(16).toString('hex')}-${randomBytes(8).toString('hex')}-01`;

  /** @param changed hears of every change */
  constructor(
    id: string,
    request: CallRequest,
    server: McpServer,
    private readonly changed: (call: OwnCall) => void,
  ) {
    this.#soFar = {
      id,
      request,
      at: systemClock.now(),
      state: 'running',
      questions: [],
      progress: [],
      log: [],
    };
    void this.#run(server, performance.now());
  }

  /** The call, as far as it has come. */
  get soFar(): OwnCall {
    return this.#soFar;
  }

  /** @throws {ConsoleRefusal} when the question does not wait any more */
  answer(id: string, answer: Answer): OwnCall {
    const waiting = this.#waiting.get(id);
    if (!waiting) throw new ConsoleRefusal('This question does not wait for an answer any more.');
    this.#waiting.delete(id);
    this.#tell(this.#asking());
    waiting.resolve(answer);
    return this.#soFar;
  }

  cancel(): OwnCall {
    this.#abort.abort(new Error('The person at the console cancelled the call.'));
    return this.#soFar;
  }

  async #run(server: McpServer, began: number): Promise<void> {
    let client: McpClient | undefined;
    const { request } = this.#soFar;
    const [, traceId] = this.#traceparent.split('-');
    const stop = server.on('call', ({ traceparent, number }) => {
      if (traceparent?.split('-')[1] === traceId) this.#tell({ trace: number });
    });
    try {
      const handlers = this.#handlers();
      const capabilities = { ...capabilitiesOf(handlers), ...extensionsFor(request, server) };
      client = await connect(server, {
        ...handlers,
        capabilities,
        clientInfo: { name: 'toolwright-console', version: '1.0.0' },
        logLevel: 'debug',
        onLog: (message) => this.#tell({ log: [...this.#soFar.log, message] }),
        ...(request.revision !== undefined && { revision: request.revision }),
        ...(request.as && { principal: principalOf(request.as) }),
      });
      const { method, params } = requestOf(request, UriTemplate);
      const traced = {
        ...params,
        ...(request.asTask && request.revision === TASK_REVISION && { task: {} }),
        _meta: { traceparent: this.#traceparent },
      };
      const begun = await client.request(method, traced, {
        signal: this.#abort.signal,
        onProgress: (progress) => this.#tell({ progress: [...this.#soFar.progress, progress] }),
      });
      const result = await followTask(begun, {
        client,
        signal: this.#abort.signal,
        ask: (asked, asking) => this.#ask(asked, asking),
        changed: (task) => this.#tell({ task }),
      });
      this.#end(began, { result, tokens: tokensOf(result) });
    } catch (error) {
      this.#end(began, { error: describe(error) });
    } finally {
      stop();
      await client?.close();
    }
  }

  #handlers(): InputHandlers {
    const ask = (method: CallQuestion['method'], params: object): Promise<Answer> =>
      this.#ask(method, params as CallQuestion['params']);
    return {
      elicit: (question) => ask('elicitation/create', question) as never,
      sample: (request) => ask('sampling/createMessage', request) as never,
      roots: async () => (await ask('roots/list', {}))['roots'] as { uri: string }[],
    };
  }

  #ask(method: CallQuestion['method'], params: CallQuestion['params']): Promise<Answer> {
    const question: CallQuestion = { id: String(++this.#questions), method, params, at: systemClock.now() };
    return new Promise((resolve) => {
      this.#waiting.set(question.id, { question, resolve });
      this.#tell(this.#asking());
    });
  }

  #asking(): Pick<OwnCall, 'state' | 'questions'> {
    const questions = [...this.#waiting.values()].map(({ question }) => question);
    return { state: questions.length > 0 ? 'asking' : 'running', questions };
  }

  #end(began: number, ending: Partial<OwnCall>): void {
    this.#waiting.clear();
    this.#tell({ ...ending, state: 'ended', questions: [], durationMs: performance.now() - began });
  }

  #tell(change: Partial<OwnCall>): void {
    this.#soFar = { ...this.#soFar, ...change };
    this.changed(this.#soFar);
  }
}

/** In this revision a client asks for a task with each call. In the newest one it declares that it knows tasks. */
const TASK_REVISION = '2025-11-25';

/**
 * What the console's client knows beyond the protocol itself. A call of a tool that runs in both ways becomes a task only
 * if the person wants one.
 */
function extensionsFor({ kind, key, asTask, as }: CallRequest, server: McpServer): Record<string, unknown> {
  const called = findOperation(server, { kind, key, caller: as && principalOf(as) });
  const mode = called?.kind === 'tool' ? called.task?.mode : undefined;
  const takesTasks = asTask || mode !== 'optional';
  return {
    extensions: {
      'io.modelcontextprotocol/ui': { mimeTypes: ['text/html;profile=mcp-app'] },
      ...(takesTasks && { 'io.modelcontextprotocol/tasks': {} }),
    },
  };
}

function describe(error: unknown): OwnCall['error'] & object {
  if (error instanceof RpcError) {
    const { code, message, data } = error;
    return { code, message, ...(data !== undefined && { data }) };
  }
  return { message: reasonOf(error) };
}
