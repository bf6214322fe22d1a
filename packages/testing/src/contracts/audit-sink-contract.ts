import assert from 'node:assert/strict';
import type { AuditEvent, AuditSink } from '@toolwright/core/ports';
import { describeContract } from './test-runner.js';

/** An audit sink under test. Its store is empty. */
export interface AuditSinkSubject {
  sink: AuditSink;
  /** Returns everything that is durably stored, oldest first, as text: one string per record. */
  stored(): Promise<string[]>;
  close?(): unknown;
}

const secret = 'canary-7d1f';

const event = (number: number): AuditEvent => ({
  id: `01890000-0000-7000-8000-${String(number).padStart(12, '0')}`,
  callId: 'call-1',
  time: 1_700_000_000_000 + number,
  event: 'outcome',
  operation: 'tool',
  name: 'delete_page',
  contract: 'c'.repeat(64),
  annotations: { destructiveHint: true },
  principal: { subject: 'ann' },
  client: { name: 'client', version: '1' },
  revision: '2026-07-28',
  arguments: { pageId: secret, reason: 'visible' },
  loggable: { reason: 'visible' },
  outcome: 'ok',
  result: { text: secret },
  durationMs: 3,
});

const ids = (records: string[], numbers: number[]) =>
  numbers.map((number) => records.findIndex((record) => record.includes(event(number).id)));

/** Declares the tests that every `AuditSink` must pass. */
export function describeAuditSink(
  name: string,
  create: () => AuditSinkSubject | Promise<AuditSinkSubject>,
): void {
  describeContract(`${name} keeps the contract of AuditSink`, create, {
    async 'has stored a strict record when the write resolves'({ sink, stored }) {
      await sink.write(event(1), 'strict');
      assert.deepEqual(ids(await stored(), [1]), [0]);
    },

    async 'has stored buffered records when a flush resolves'({ sink, stored }) {
      await Promise.all([1, 2, 3].map(async (number) => sink.write(event(number), 'buffered')));
      await sink.flush();
      assert.deepEqual(ids(await stored(), [1, 2, 3]), [0, 1, 2]);
    },

    async 'keeps the order of writes, whatever their modes'({ sink, stored }) {
      const modes = ['buffered', 'strict', 'buffered', 'strict'] as const;
      await Promise.all(modes.map(async (mode, number) => sink.write(event(number), mode)));
      await sink.flush();
      assert.deepEqual(ids(await stored(), [0, 1, 2, 3]), [0, 1, 2, 3]);
    },

    async 'stores loggable fields, but neither arguments nor results in the clear'({ sink, stored }) {
      await sink.write(event(1), 'strict');
      const text = (await stored()).join('\n');
      assert.ok(text.includes('visible'));
      assert.ok(!text.includes(secret));
    },

    async 'has stored everything when a close resolves, and refuses strict records from then on'({
      sink,
      stored,
    }) {
      await sink.write(event(1), 'buffered');
      await sink.close();
      assert.deepEqual(ids(await stored(), [1]), [0]);
      await assert.rejects(async () => sink.write(event(2), 'strict'));
    },
  });
}
