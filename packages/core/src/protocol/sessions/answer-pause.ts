/**
 * The milliseconds between a progress notification and the answer to its request.
 *
 * The official client handles the messages of a chunk one after the other, but tells its listener about
 * progress a moment later. If the answer is in the same chunk, it has removed the listener by then. Progress
 * from the official server is lost in the same way. Measured over stdio, with calls that report progress
 * three times: 92 of 100 calls lost all of it, and 4 of 100 with a pause of a millisecond.
 */
export const ANSWER_PAUSE_MS = 1;

const PROGRESS = '{"jsonrpc":"2.0","method":"notifications/progress"';
/** The beginning of an answer, as `reply.ts` writes it. */
const ANSWER = /^\{"jsonrpc":"2\.0","id":(?:[^",]+|"(?:[^"\\]|\\.)*"),"(?:result|error)":/;

/** Remembers when progress was last sent, to keep the answer out of the same chunk. */
export class AnswerPause {
  #toldAt = Number.NEGATIVE_INFINITY;

  /** Notes a message that is being sent. */
  note(text: string): void {
    if (text.startsWith(PROGRESS)) this.#toldAt = performance.now();
  }

  /** Runs `answer` at once, or after the pause if progress was sent just before. */
  before(answer: () => void): void {
    if (this.#isDue()) answer();
    else setTimeout(answer, ANSWER_PAUSE_MS);
  }

  /** Sends the messages of a connection: answers after the pause, all others at once. */
  over(send: (text: string) => void): (text: string) => void {
    return (text) => {
      this.note(text);
      if (this.#isDue() || !ANSWER.test(text)) send(text);
      else this.before(() => send(text));
    };
  }

  #isDue(): boolean {
    return performance.now() - this.#toldAt >= ANSWER_PAUSE_MS;
  }
}
