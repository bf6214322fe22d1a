import type { OpenChannel, WireMessage } from '@toolwright/client';
import { impatient } from './limits.js';

beforeEach(() => void jest.useFakeTimers());
afterEach(() => void jest.useRealTimers());

/** A channel to a server that accepts nothing. */
async function mute(signal?: AbortSignal) {
  let receive!: (message: WireMessage) => void;
  const sent: WireMessage[] = [];
  const open: OpenChannel = (listener) => {
    receive = listener;
    const send = (message: WireMessage) => {
      sent.push(message);
      return new Promise<void>(() => undefined);
    };
    return { send, close: () => undefined };
  };
  const channel = await impatient(open, { ms: 1_000, signal })(() => undefined);
  const send = async (message: Partial<WireMessage>) => channel.send({ jsonrpc: '2.0', ...message });
  const end = (message: Partial<WireMessage>) =>
    send(message).then(
      () => 'sent',
      (error: Error) => error.message,
    );
  return { sent, end, hear: (message: Partial<WireMessage>) => receive({ jsonrpc: '2.0', ...message }) };
}

const SILENT = 'The server has said nothing for 1 s. To wait longer, pass --timeout.';

test('a notification that is not accepted ends like a request', async () => {
  const { end, sent } = await mute();
  const ended = end({ method: 'notifications/initialized' });
  await jest.advanceTimersByTimeAsync(1_000);
  expect(await ended).toBe(SILENT);
  expect(sent).toHaveLength(1);
});

test('the clock runs again after a person has answered', async () => {
  const { end, hear } = await mute();
  const ended = end({ id: 1, method: 'tools/call' });
  hear({ id: 9, method: 'elicitation/create' });
  await jest.advanceTimersByTimeAsync(60_000);
  void end({ id: 9, result: {} });
  await jest.advanceTimersByTimeAsync(1_000);
  expect(await ended).toBe(SILENT);
});

test('nothing is sent after the person has interrupted', async () => {
  const { end, sent } = await mute(AbortSignal.abort(new Error('Interrupted.')));
  expect(await end({ id: 1, method: 'tools/call' })).toBe('Interrupted.');
  expect(sent).toEqual([]);
});
