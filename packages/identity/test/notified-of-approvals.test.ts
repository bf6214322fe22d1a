import { AsyncLocalStorage } from 'node:async_hooks';
import { ManualClock } from '@toolwright/testing';
import type { WaitingApproval } from '../src/index.js';
import { RecordingLogger } from '../../core/test/support/recording-logger.js';
import { answerAs, ask, inboxOf } from './support/asked.js';
import { RefundDesk } from './support/refund-desk.js';

const turns = async () => {
  for (let turn = 0; turn < 20; turn++) await new Promise((resolve) => setImmediate(resolve));
};

describe('people who are notified of an approval that waits', () => {
  const clock = new ManualClock();
  let desk: RefundDesk;
  let told: WaitingApproval[];
  let logger: RecordingLogger;
  let notify: (waiting: WaitingApproval, signal: AbortSignal) => void | Promise<void>;
  beforeEach(async () => {
    told = [];
    logger = new RecordingLogger();
    notify = () => undefined;
    desk = await RefundDesk.open({
      ports: { clock },
      logger,
      notify: (waiting, signal) => {
        told.push(waiting);
        return notify(waiting, signal);
      },
    });
  });
  afterEach(() => desk.close());

  /** Lets this much time pass, and all that follows from it. */
  const pass = async (ms: number) => {
    clock.advance(ms);
    await turns();
  };
  const lines = (level: string) =>
    logger.lines.filter((line) => line.level === level && line.message.includes('notified'));

  test('get what waits and where, once, and nothing that is sensitive', async () => {
    const { url, resume } = await ask(desk, 'ann', 'refund', { order: 'A1', card: '4111-1111' });
    await pass(0);
    expect(told).toEqual([
      {
        url,
        inbox: desk.url,
        message: 'Refund order A1?',
        operation: { kind: 'tool', name: 'refund' },
        arguments: { order: 'A1', card: '[sensitive]' },
        caller: { issuer: desk.issuer.issuer, subject: 'ann', clientId: 'agent' },
        client: 'forger',
        approver: { scope: 'refunds:approve', notCaller: true },
        opened: expect.any(Number) as number,
        expires: told[0]!.opened + 600_000,
      },
    ]);
    // Neither an approval nor a further round notifies anybody.
    await answerAs('bea', url, 'approve');
    await resume();
    await pass(120_000);
    expect(told).toHaveLength(1);
  });

  test('are notified three times at most if that fails, and the log and the audit log say that nobody was', async () => {
    notify = () => Promise.reject(new Error('no mail today'));
    const { url } = await ask(desk, 'ann', 'refund');
    for (const [ms, count] of [
      [0, 1],
      [4_999, 1],
      [1, 2],
      [59_999, 2],
      [1, 3],
      [300_000, 3],
    ] as const) {
      await pass(ms);
      expect(told).toHaveLength(count);
    }
    expect(lines('warn')).toHaveLength(2);
    expect(lines('error')).toEqual([
      expect.objectContaining({
        message: 'Nobody was notified of an approval that waits; the inbox shows it',
        fields: expect.objectContaining({ err: new Error('no mail today') }) as unknown,
      }),
    ]);
    expect(desk.history.at(-1)).toMatchObject({ outcome: 'not notified' });
    expect((await inboxOf(desk, 'bea')).items).toHaveLength(1);
    expect((await answerAs('bea', url, 'approve')).html).toContain('The call runs now');
  });

  test('are not told again of what was answered meanwhile', async () => {
    notify = () => {
      throw new Error('no chat today');
    };
    const { url } = await ask(desk, 'ann', 'refund');
    await pass(0);
    await answerAs('bea', url, 'refuse');
    await pass(5_000);
    expect(told).toHaveLength(1);
    expect(lines('error')).toEqual([]);
  });

  test('who take too long are given up by a signal, and the call waits for none of it', async () => {
    const signals: AbortSignal[] = [];
    notify = (_, signal) => (signals.push(signal), new Promise(() => undefined));
    const { url, resume } = await ask(desk, 'ann', 'refund');
    await pass(0);
    await answerAs('bea', url, 'approve');
    await resume();
    expect(desk.refunds).toHaveLength(1);
    expect(signals.map(({ aborted }) => aborted)).toEqual([false]);
    await pass(30_000);
    expect(signals.map(({ aborted }) => aborted)).toEqual([true]);
  });

  test('leave nothing behind when the server closes, and the log says how many were not notified', async () => {
    const signals: AbortSignal[] = [];
    notify = (_, signal) => (signals.push(signal), new Promise(() => undefined));
    await ask(desk, 'ann', 'refund');
    await pass(0);
    await ask(desk, 'ann', 'refund');
    await desk.server.close();
    await turns();
    expect(signals.map(({ aborted }) => aborted)).toEqual([true]);
    expect(lines('warn').map(({ fields }) => fields)).toEqual([{ questions: 2 }]);
    await pass(300_000);
    expect(told).toHaveLength(1);
  });

  test('are notified outside of the context of the call', async () => {
    const transaction = new AsyncLocalStorage<string>();
    const seen: unknown[] = [];
    notify = () => void seen.push(transaction.getStore());
    await transaction.run('of the call', () => ask(desk, 'ann', 'refund'));
    await pass(0);
    expect(seen).toEqual([undefined]);
  });
});
