import type { AppProcess } from '../app/app-process.js';
import type { ConsoleQuestion } from '../messages.js';
import { AppQuestions } from './app-questions.js';

class Refusal extends Error {}

/** An app that answers only when a test makes it. */
function app() {
  const asked: ConsoleQuestion[] = [];
  let end: () => void = () => undefined;
  const exited = new Promise<number | null>((resolve) => (end = () => resolve(0)));
  const process = { exited, ask: (question: ConsoleQuestion) => void asked.push(question) };
  return { process: process as unknown as AppProcess, asked, end };
}

const questions = (patienceMs = 60_000) =>
  new AppQuestions({ refusal: (message) => new Refusal(message), patienceMs });
const turn = () => new Promise((resolve) => setImmediate(resolve));

test('an answer reaches the question that it belongs to', async () => {
  const all = questions();
  const { process, asked } = app();
  all.lead(process);
  const answers = Promise.allSettled([
    all.ask('state', {}),
    all.ask('surface', { server: 'a' }),
    all.ask('explain', {}),
  ]);
  await turn();
  const [state, surface, explain] = asked.map(({ question }) => question);
  all.hear({ tell: 'answered', question: explain!, answer: { is: 'failed', message: 'broken' } });
  all.hear({ tell: 'answered', question: surface!, answer: { is: 'refused', message: 'no server' } });
  all.hear({ tell: 'answered', question: state!, answer: { is: 'result', result: 7 } });
  all.hear({ tell: 'answered', question: 99, answer: { is: 'result', result: 8 } });
  const [first, second, third] = await answers;
  expect(first).toEqual({ status: 'fulfilled', value: 7 });
  expect((second as PromiseRejectedResult).reason).toEqual(new Refusal('no server'));
  expect((third as PromiseRejectedResult).reason).not.toBeInstanceOf(Refusal);
});

test('a question that comes during a restart is asked of the next app', async () => {
  const all = questions();
  const [older, newer] = [app(), app()];
  all.lead(older.process);
  all.hold();
  const answer = all.ask('state', {});
  older.end();
  await turn();
  all.lead(newer.process);
  await turn();
  expect(older.asked).toEqual([]);
  all.hear({ tell: 'answered', question: newer.asked[0]!.question, answer: { is: 'result', result: 'new' } });
  expect(await answer).toBe('new');
});

test('a question fails with a refusal when its app ends, when there is none, and when none comes in time', async () => {
  const all = questions(1);
  const { process, end } = app();
  all.lead(process);
  const lost = expect(all.ask('state', {})).rejects.toEqual(
    new Refusal('The app has ended before it answered. Try again.'),
  );
  end();
  await lost;
  await expect(all.ask('state', {})).rejects.toThrow('does not answer yet');
  all.giveUp();
  await expect(all.ask('state', {})).rejects.toThrow('The app does not run');
  // The next change starts it again.
  all.hold();
  await expect(all.ask('state', {})).rejects.toThrow('does not answer yet');
});
