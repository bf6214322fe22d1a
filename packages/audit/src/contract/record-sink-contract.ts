import { randomUUID } from 'node:crypto';
import type { AuditRecord } from '../record.js';
import type { RecordSink } from '../shipping/record-sink.js';

/**
 * What a contract suite needs from a test runner. The globals of Jest, Vitest and node:test fit without
 * changes. The suites use node:assert, so that they depend on no runner.
 */
export interface ContractHarness {
  describe(name: string, define: () => void): void;
  it(name: string, run: () => Promise<void>): void;
}

/** One sink under test, and a way to see what it delivered. */
export interface RecordSinkFixture {
  sink: RecordSink;
  /** The ids of the records that arrived, in order. */
  deliveredIds(): Promise<string[]>;
}

/** The functions of node:assert that this file uses. */
interface Assertions {
  match(text: string, pattern: RegExp): void;
  deepEqual(actual: unknown, expected: unknown): void;
}

/** Declares the tests that every `RecordSink` must pass. `open` returns a new, empty sink each time. */
export function recordSinkContract(harness: ContractHarness, open: () => Promise<RecordSinkFixture>): void {
  const test = (name: string, run: (assert: Assertions, fixture: RecordSinkFixture) => Promise<void>) =>
    harness.it(name, async () => {
      // This is not imported at the top, because servers load this file, too: the assertions would cost them
      // 2 ms and 400 KB.
      const { strict } = await import('node:assert');
      const fixture = await open();
      try {
        await run(strict, fixture);
      } finally {
        await fixture.sink.close?.();
      }
    });

  harness.describe('a RecordSink', () => {
    test('has a name that can be part of a file name', async (assert, { sink }) => {
      assert.match(sink.name, /^[a-z0-9-]+$/);
    });

    test('ship resolves after the records were delivered, in order', async (assert, {
      sink,
      deliveredIds,
    }) => {
      const records = sampleRecords(20);
      await sink.ship(records.slice(0, 5));
      await sink.ship(records.slice(5));
      assert.deepEqual(await deliveredIds(), records.map(idOf));
    });

    test('delivers a record once even if it is sent twice', async (assert, { sink, deliveredIds }) => {
      const records = sampleRecords(6);
      await sink.ship(records.slice(0, 4));
      await sink.ship(records.slice(2));
      assert.deepEqual(await deliveredIds(), records.map(idOf));
    });

    test('accepts an empty list', async (assert, { sink, deliveredIds }) => {
      await sink.ship([]);
      assert.deepEqual(await deliveredIds(), []);
    });
  });
}

function sampleRecords(count: number): AuditRecord[] {
  return Array.from({ length: count }, (_, index) => ({
    seq: index + 1,
    id: randomUUID(),
    writer: 'writer-1',
    time: 1_785_225_600_000 + index,
    event: 'outcome',
    callId: `call-${index}`,
    operation: 'tool',
    name: 'search_pages',
    contract: 'c0'.repeat(32),
    annotations: { readOnlyHint: true },
    principal: { subject: 'user-1' },
    untrustedClient: { name: 'client\u202e', version: '1' },
    revision: '2026-07-28',
    arguments: { hmac: 'ab'.repeat(32) },
    outcome: 'ok',
    result: { hmac: 'cd'.repeat(32), bytes: 12 },
    durationMs: 1.5,
    traceId: '0af7651916cd43dd8448eb211c80319c',
    ip: '192.0.2.1',
  }));
}

const idOf = ({ id }: AuditRecord): string => id;
