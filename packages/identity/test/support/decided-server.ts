import { createMcpServer, type McpServer } from '@toolwright/core';
import { extend } from '@toolwright/core/extend';
import type { AuditEvent } from '@toolwright/core/ports';
import { FakeClock } from '../../../core/test/support/fake-clock.js';
import { StatelessWire } from '../../../core/test/wire/stateless-wire.js';
import { externalDecision, type ExternalDecisionOptions } from '../../src/decisions.js';
import { auditTo } from '../../../core/test/support/recording-sink.js';

/** A server whose calls an engine decides about. */
export interface DecidedServer {
  readonly server: McpServer;
  readonly events: AuditEvent[];
  readonly errors: string[];
  readonly clock: FakeClock;
  wire(subject?: string): StatelessWire;
  call(subject: string | undefined, name?: string, args?: Record<string, unknown>): Promise<any>;
}

export async function startDecided(options: ExternalDecisionOptions): Promise<DecidedServer> {
  const events: AuditEvent[] = [];
  const errors: string[] = [];
  const clock = new FakeClock();
  const quiet = () => undefined;
  const server = await createMcpServer({
    name: 'desk',
    version: '1.0.0',
    services: [],
    rateLimit: false,
    ports: { clock },
    logger: {
      debug: quiet,
      info: quiet,
      warn: quiet,
      error: (_fields: unknown, text: string) => errors.push(text),
    },
    audit: auditTo((event) => void events.push(event)),
  } as Parameters<typeof createMcpServer>[0]);
  await extend(server, externalDecision(options));
  const inputSchema = { type: 'object', properties: { amount: { type: 'integer' } } };
  for (const name of ['refund', 'look_up'])
    server.tools.add({
      name,
      description: name,
      inputSchema,
      annotations: { readOnlyHint: name === 'look_up' },
      handler: ({ amount }) => `${name} ${String(amount)}`,
    });
  server.prompts.add({ name: 'reply', description: 'Reply.', handler: () => 'Reply.' });
  const wire = (subject?: string) =>
    subject === undefined ? new StatelessWire(server) : StatelessWire.of(server, subject);
  return {
    server,
    events,
    errors,
    clock,
    wire,
    call: async (subject, name = 'refund', args: Record<string, unknown> = {}) =>
      (await wire(subject).call(name, args)).result,
  };
}

export const textOf = (result: any) => result.content[0].text as string;
export const decisionsIn = (events: readonly AuditEvent[]) =>
  events.filter(({ operation }) => operation === 'decision').map(({ loggable }) => loggable);
