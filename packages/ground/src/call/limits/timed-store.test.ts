import { FakeClock, settled } from '../../../../core/test/support/fake-clock.js';
import { RecordingLogger } from '../../../../core/test/support/recording-logger.js';
import { TimedStore } from './timed-store.js';

let clock: FakeClock;
let logger: RecordingLogger;
let store: TimedStore;
beforeEach(() => {
  clock = new FakeClock();
  logger = new RecordingLogger();
  store = new TimedStore('store of the test', { clock, logger });
});

/** A question that the test answers when it likes to. */
function openQuestion() {
  let answer: (value: string) => void = () => undefined;
  let asked = 0;
  return {
    ask() {
      asked++;
      return new Promise<string>((resolve) => (answer = resolve));
    },
    answer: (value: string) => answer(value),
    get asked() {
      return asked;
    },
  };
}

/** The store has just been too late once. */
async function beLate() {
  const late = store.ask(() => new Promise<string>(() => undefined));
  await clock.advance(50);
  expect(await late).toBeUndefined();
}

test('An answer that is there needs no promise, and one in time is awaited', async () => {
  expect(store.ask(() => 1)).toEqual({ value: 1 });
  const question = openQuestion();
  const answer = store.ask(() => question.ask());
  await clock.advance(40);
  question.answer('in time');
  expect(await answer).toEqual({ value: 'in time' });
});

test('While answers are late, nobody waits, and one question at a time asks whether they still are', async () => {
  await beLate();
  const question = openQuestion();
  const answers = Array.from({ length: 20 }, () => store.ask(() => question.ask()));
  expect(answers).toEqual(Array(20).fill(undefined));
  expect(question.asked).toBe(1);
  await clock.advance(50);
  expect(store.ask(() => question.ask())).toBeUndefined();
  expect(question.asked).toBe(2);
  question.answer('in time');
  await settled();
  expect(store.ask(() => 'at once')).toEqual({ value: 'at once' });
  const said = logger.lines.map(({ message }) => message);
  expect(said).toEqual(['The store of the test does not answer', 'The store of the test answers again']);
  // One that was late, 20 that did not wait, and the one whose question found out that it answers.
  expect(logger.lines[1]!.fields).toEqual({ calls: 22 });
});

test('A store that refuses is not said to be silent', async () => {
  const refusal = Object.assign(new Error('NOPERM'), { isRefusal: true });
  expect(await store.ask(() => Promise.reject(refusal))).toBeUndefined();
  expect(logger.lines.map(({ message }) => message)).toEqual([
    'The store of the test refuses what this server asks of it',
  ]);
});

test('An answer that nobody waits for is handed back', async () => {
  const unwanted: string[] = [];
  const question = openQuestion();
  const late = store.ask(
    () => question.ask(),
    (value) => unwanted.push(value),
  );
  await clock.advance(50);
  expect(await late).toBeUndefined();
  question.answer('late');
  await settled();
  const probe = openQuestion();
  void store.ask(
    () => probe.ask(),
    (value) => unwanted.push(value),
  );
  probe.answer('probe');
  await settled();
  expect(unwanted).toEqual(['late', 'probe']);
});

test('A store that fails at once is asked each time: nobody waits for it', async () => {
  let asked = 0;
  const fail = () => {
    asked++;
    return Promise.reject(new Error('refused'));
  };
  expect([await store.ask(fail), await store.ask(fail)]).toEqual([undefined, undefined]);
  expect(asked).toBe(2);
  expect(logger.lines).toHaveLength(1);
});
