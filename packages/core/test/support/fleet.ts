import type { McpServer, ServerOptions } from '@toolwright/core';
import {
  MemoryClaimStore,
  MemoryEventStore,
  MemorySessionRecords,
  type ClaimStore,
  type SessionRecords,
} from '@toolwright/core/ports';
import type { SessionWire } from '../wire/session-wire.js';
import { FakeClock } from './fake-clock.js';
import { createProtocolFixture, type ProtocolFixture } from './protocol-fixture.js';
import { RecordedBus } from './recorded-bus.js';
import { RecordingLogger } from './recording-logger.js';

/** What session ids are sealed with. */
export const secret = 's'.repeat(32);

/** The processes of one server. They share stores and a clock. */
export class Fleet {
  readonly clock = new FakeClock();
  readonly bus = new RecordedBus();
  readonly events = new MemoryEventStore();
  readonly logger = new RecordingLogger();
  claims: ClaimStore = new MemoryClaimStore(this.clock);
  records: SessionRecords = new MemorySessionRecords(this.clock);
  readonly running: ProtocolFixture[] = [];

  async start(
    sessions: Exclude<ServerOptions['sessions'], false> = {},
    options: Partial<ServerOptions> = {},
  ) {
    const { clock, bus, events, claims, records, logger } = this;
    const fixture = await createProtocolFixture({
      ports: { clock },
      logger,
      secrets: [secret],
      sessions,
      ...options,
      stores: [{ bus, claims, events, sessions: records }, ...[options.stores ?? []].flat()],
    });
    this.running.push(fixture);
    return fixture.server;
  }

  gates(server: McpServer) {
    return this.running.find((each) => each.server === server)!.gates;
  }

  async stop(): Promise<void> {
    const closing = Promise.all(this.running.splice(0).map(({ server }) => server.close(0)));
    await this.clock.advance(0);
    await closing;
  }
}

/** The client of a session, speaking to another process, which has resumed the session. */
export async function openedAt(server: McpServer, wire: SessionWire): Promise<SessionWire> {
  const there = wire.at(server);
  await there.resume();
  return there;
}

export const textOf = (answer: any) => answer.result.content[0].text as string;
