import { createEnvironment, type Environment } from '../../src/call/environment.js';
import { InputRequired } from '../../src/call/context/rounds.js';
import { WatchedAuditSink } from '../../src/call/security/watched-audit-sink.js';
import type { PipelineOptions } from '../../src/call/call-options.js';
import type { BoundTool } from '../../src/call/operation/operation.js';
import { toolKind } from '../../src/boot/kinds/tool.js';
import type { ToolDraft } from '../../src/call/operation/draft.js';
import type { ToolResult } from '../../src/base/content.js';
import { StatelessInput, FIRST_ROUND, type RoundInput } from '../../src/requests/client-questions.js';
import { revision20260728 } from '../../src/wire/revisions/2026-07-28.js';
import type { RequestContext } from '../../src/base/request-context.js';
import type { PolicyEntry } from '../../src/base/metadata/store.js';
import { MemoryClaimStore } from '../../src/ports/claim-store.js';
import type { ServerStores } from '../../src/ports/server-stores.js';
import { FakeClock } from './fake-clock.js';
import { RecordingLogger } from './recording-logger.js';
import { RecordingSink } from './recording-sink.js';

type Method = (...args: any[]) => unknown;

export interface ToolOptions extends Partial<Omit<ToolDraft, 'target' | 'policies'>> {
  policies?: [string, PolicyEntry][];
  target?: Partial<ToolDraft['target']>;
}

/** The draft of a tool whose method gets the arguments object and the context. */
export function draftTool(
  method: Method,
  { policies = [], target = {}, ...options }: ToolOptions = {},
): ToolDraft {
  return {
    kind: 'tool',
    name: 'work',
    annotations: {},
    policies: new Map(policies),
    inputSchema: { type: 'object' },
    wrapOutput: false,
    contract: 'c0ffee',
    target: { method: method as never, instance: () => undefined, ...target },
    ...options,
  };
}

/** What an environment has besides what its options say. */
export type GivenToFixture = Partial<Environment & { readonly stores: ServerStores }>;

/** The guards with a clock, a log and an audit log that tests can read. */
export class PipelineFixture {
  readonly clock = new FakeClock();
  readonly logger = new RecordingLogger();
  readonly sink = new RecordingSink();
  readonly environment: Environment;
  #requests = 0;

  constructor(options: PipelineOptions = {}, given: GivenToFixture = {}) {
    let ids = 0;
    const { clock, logger, sink } = this;
    const audit = options.audit ?? new WatchedAuditSink(sink, { clock, logger });
    const known = { stores: {}, clock, logger, ...given };
    this.environment = {
      ids: { uuid: () => `id-${++ids}`, reference: () => 'ref0123456' },
      claims: new MemoryClaimStore(clock),
      answerMs: 600_000,
      secrets: undefined,
      server: '',
      unmet: undefined,
      audit: audit || undefined,
      ...createEnvironment(options, known),
      ...known,
      options,
    };
  }

  tool(method: Method, options?: ToolOptions): BoundTool {
    return toolKind.plan(draftTool(method, options), this.environment);
  }

  request(options: Partial<RequestContext> & { round?: Partial<RoundInput> } = {}): RequestContext {
    const { round, ...given } = options;
    const client = given.client ?? { capabilities: { elicitation: {} } };
    return {
      id: ++this.#requests,
      era: 'stateless',
      revision: '2026-07-28',
      principal: { subject: 'ann', scopes: [] },
      client,
      signal: new AbortController().signal,
      progressToken: undefined,
      logLevel: undefined,
      trace: {},
      ip: undefined,
      transport: 'memory',
      input: new StatelessInput(client.capabilities, revision20260728.features, { ...FIRST_ROUND, ...round }),
      notify: () => undefined,
      ...given,
    };
  }

  /** Calls a tool, and expects a result. */
  async call(
    tool: BoundTool,
    args: Record<string, unknown> = {},
    request = this.request(),
  ): Promise<ToolResult> {
    const result = await tool.run(request, args);
    if (result instanceof InputRequired)
      throw new Error(`Unexpected questions: ${[...result.pending.keys()].join()}`);
    return result;
  }
}

/** The text of a result, with its blocks joined by newlines. */
export function textOf({ content }: ToolResult): string {
  return content.map((block) => (block.type === 'text' ? block.text : `<${block.type}>`)).join('\n');
}
