import { getEventListeners } from 'node:events';
import { systemClock } from '@toolwright/ground/ports/clock-and-ids';
import { OpenQuestions } from '../../src/sessions/open-questions.js';

// A call that asked more than ten things at once had as many listeners of its own end, and Node warned of a leak.

test('a call that asks many things at once has one listener, and its end is the end of all of them', async () => {
  const questions = new OpenQuestions(undefined, systemClock, 60_000);
  const call = new AbortController();
  const sent: string[] = [];
  const route = {
    send: (text: string) => void sent.push(text),
    cancellation: { signal: call.signal },
    stop: { hasBegun: false, watch: () => () => undefined },
    trace: () => ({}),
  };
  const ask = () => questions.ask('elicitation/create', {}, route as never);
  const first = ask();
  const { id } = JSON.parse(sent[0]!) as { id: string };
  const all = Promise.allSettled(Array.from({ length: 30 }, ask));
  expect(getEventListeners(call.signal, 'abort')).toHaveLength(1);
  questions.answer({ kind: 'response', id, result: { action: 'decline' } } as never);
  expect(await first).toEqual({ action: 'decline' });
  call.abort(new Error('cancelled'));
  expect((await all).map((each) => each.status === 'rejected' && String(each.reason))).toEqual(
    Array(30).fill('Error: cancelled'),
  );
  const withdrawn = sent.filter((text) => text.includes('notifications/cancelled'));
  expect(withdrawn).toHaveLength(30);
});
