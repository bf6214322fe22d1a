import { QueryClient, QueryObserver } from '@tanstack/react-query';
import { askAgain, replaceAnswer } from '../../web/src/data/ask-again.js';
import { KeyedStore } from '../../web/src/data/keyed-store.js';

const KEY = ['spans', { traceId: 'a' }];

/** A pane that shows the answer to one question. The test answers. */
class Pane {
  readonly queries = new QueryClient();
  /** The questions that were asked, oldest first: each is answered by a call. */
  readonly asked: ((answer: string) => void)[] = [];
  readonly #observer = new QueryObserver<string>(this.queries, {
    queryKey: KEY,
    queryFn: ({ signal }) =>
      new Promise((resolve, reject) => {
        this.asked.push(resolve);
        signal.addEventListener('abort', () => reject(new Error('The question was given up.')));
      }),
    staleTime: 30_000,
  });
  readonly close = this.#observer.subscribe(() => undefined);

  get shown(): string | undefined {
    return this.#observer.getCurrentResult().data;
  }

  /** Waits until an answer is shown. */
  shows(answer: string): Promise<void> {
    return new Promise((resolve) => {
      const look = () => {
        if (this.shown !== answer) return;
        stop();
        resolve();
      };
      const stop = this.#observer.subscribe(look);
      look();
    });
  }
}

describe('a change while a question is on its way', () => {
  let pane: Pane;

  beforeEach(() => {
    pane = new Pane();
  });

  afterEach(() => {
    pane.close();
    pane.queries.clear();
  });

  // A trace was opened while its spans came. The page showed no span until it was opened anew.
  test('is not lost to the first answer, which is older', async () => {
    askAgain(pane.queries, { queryKey: KEY });
    askAgain(pane.queries, { queryKey: KEY });
    expect(pane.asked).toHaveLength(1);
    pane.asked[0]!('before');
    await pane.shows('before');
    expect(pane.asked).toHaveLength(2);
    pane.asked[1]!('after');
    await pane.shows('after');
    expect(pane.asked).toHaveLength(2);
  });

  test('is not lost to a later answer', async () => {
    pane.asked[0]!('first');
    await pane.shows('first');
    askAgain(pane.queries, { queryKey: KEY });
    askAgain(pane.queries, { queryKey: KEY });
    expect(pane.asked).toHaveLength(3);
    pane.asked[1]!('given up');
    pane.asked[2]!('after');
    await pane.shows('after');
  });

  test('that tells the answer itself is not replaced by an older answer', async () => {
    replaceAnswer(pane.queries, KEY, 'told');
    expect(pane.shown).toBe('told');
    expect(pane.asked).toHaveLength(2);
    pane.asked[0]!('before');
    pane.asked[1]!('after');
    await pane.shows('after');
  });

  test('that tells the answer is all, where nothing is asked', async () => {
    pane.asked[0]!('first');
    await pane.shows('first');
    replaceAnswer(pane.queries, KEY, 'told');
    expect(pane.shown).toBe('told');
    expect(pane.asked).toHaveLength(1);
  });
});

test('a call that ends while the calls are asked for is not taken back to an earlier state', () => {
  const calls = new KeyedStore<string>();
  const asked = calls.count;
  calls.set('one', 'ended');
  calls.set('one', 'running', asked);
  calls.set('two', 'running', asked);
  expect([calls.get('one'), calls.get('two')]).toEqual(['ended', 'running']);
  calls.set('two', 'ended', calls.count);
  expect(calls.get('two')).toBe('ended');
});
