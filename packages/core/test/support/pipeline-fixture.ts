import type { ToolResult } from '@toolwright/ground/base/content';
import type { PolicyEntry } from '@toolwright/ground/base/metadata/store';
import type { RequestContext } from '@toolwright/ground/base/request-context';
import type { PipelineOptions } from '@toolwright/ground/call/call-options';
import { InputRequired } from '@toolwright/ground/call/context/rounds';
import { createEnvironment, type Environment } from '@toolwright/ground/call/environment';
import type { ToolDraft } from '@toolwright/ground/call/operation/draft';
import type { BoundTool } from '@toolwright/ground/call/operation/operation';
import { WatchedAuditSink } from '@toolwright/ground/call/security/watched-audit-sink';
import { MemoryClaimStore } from '@toolwright/ground/ports/claim-store';
import type { ServerStores } from '@toolwright/ground/ports/server-stores';
import { revision20260728 } from '@toolwright/wire/revisions/2026-07-28';
import { toolKind } from '../../src/boot/kinds/tool.js';
import { StatelessInput, FIRST_ROUND, type RoundInput } from '../../src/requests/client-questions.js';
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
