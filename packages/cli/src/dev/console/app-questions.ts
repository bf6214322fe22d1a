import type { AppProcess } from '../app/app-process.js';
import type { ConsoleAnswer, FromInside } from '../messages.js';

/** How many milliseconds a question waits for an app that is about to start. */
const PATIENCE_MS = 10_000;

interface Waiting {
  readonly app: AppProcess;
  readonly resolve: (result: unknown) => void;
  readonly reject: (reason: Error) => void;
}

export interface AppQuestionsOptions {
  /** Makes the error whose message is shown to the person. */
  readonly refusal: (message: string) => Error;
  readonly patienceMs?: number;
}

/** Asks the part of the console that runs in the app. While the app restarts, questions wait for the next one. */
export class AppQuestions {
  readonly #waiting = new Map<number, Waiting>();
  #count = 0;
  #app: AppProcess | undefined;
  #hasGivenUp = false;
  #next = promise<AppProcess | undefined>();

  constructor(private readonly options: AppQuestionsOptions) {}

  /** From now on this app answers. */
  lead(app: AppProcess): void {
    this.#app = app;
    this.#next.resolve(app);
    void app.exited.then(() => this.#lose(app));
  }

  /** Until there is another app, questions wait. */
  hold(): void {
    // Questions that wait already go on waiting for the same app.
    if (this.#app || this.#hasGivenUp) this.#next = promise();
    this.#hasGivenUp = false;
    this.#app = undefined;
  }

  /** There will be no app for now. All questions fail, also the waiting ones. */
  giveUp(): void {
    this.#app = undefined;
    this.#hasGivenUp = true;
    this.#next.resolve(undefined);
  }

  async ask(method: string, params: object): Promise<unknown> {
    const app = this.#app ?? (await this.#nextApp());
    const question = ++this.#count;
    return new Promise((resolve, reject) => {
      this.#waiting.set(question, { app, resolve, reject });
      app.ask({ tell: 'ask', question, method, params });
    });
  }

  hear({ question, answer }: Extract<FromInside, { tell: 'answered' }>): void {
    const waiting = this.#waiting.get(question);
    this.#waiting.delete(question);
    if (waiting) this.#settle(waiting, answer);
  }

  #settle({ resolve, reject }: Waiting, answer: ConsoleAnswer): void {
    if (answer.is === 'result') return resolve(answer.result);
    reject(answer.is === 'refused' ? this.options.refusal(answer.message) : new Error(answer.message));
  }

  #lose(app: AppProcess): void {
    if (this.#app === app) this.hold();
    for (const [question, waiting] of this.#waiting) {
      if (waiting.app !== app) continue;
      this.#waiting.delete(question);
      waiting.reject(this.options.refusal('The app has ended before it answered. Try again.'));
    }
  }

  async #nextApp(): Promise<AppProcess> {
    const { refusal, patienceMs = PATIENCE_MS } = this.options;
    const late = Symbol('late');
    let timer: NodeJS.Timeout | undefined;
    const patience = new Promise<typeof late>((resolve) => {
      timer = setTimeout(() => resolve(late), patienceMs);
    });
    const app = await Promise.race([this.#next.promise, patience]);
    clearTimeout(timer);
    if (app === late) throw refusal('The app is being started and does not answer yet. Try again.');
    if (app) return app;
    throw refusal(
      'The app does not run. It starts again after the next change: see the terminal of toolwright dev.',
    );
  }
}

function promise<T>(): { promise: Promise<T>; resolve: (value: T) => void } {
  let resolve: (value: T) => void = () => undefined;
  return { promise: new Promise<T>((settle) => (resolve = settle)), resolve };
}
