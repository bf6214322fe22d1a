/**
 * Milliseconds between a progress notification and the answer to its request.
 *
 * The official client takes a chunk's messages one after the other, but tells its listener of progress a moment later; by
 * then the answer of the same chunk has removed the listener. The official server loses its progress like that as well:
 * measured over stdio, 92 of 100 calls that report three times lost all of it, 4 of 100 after a pause of a millisecond.
 */
export const ANSWER_PAUSE_MS = 1;

const PROGRESS = '{"jsonrpc":"2.0","method":"notifications/progress"';
/** As `reply.ts` writes it. */
const ANSWER = /^\{"jsonrpc":"2\.0","id":(?:[^",]+|"(?:[^"\\]|\\.)*"),"(?:result|error)":/;

/** Remembers when progress was last told, to keep the answer out of its chunk. */
export class AnswerPause {
  #toldAt = Number.NEGATIVE_INFINITY;

  /** Takes note of a message on its way out. */
  note(text: string): void {
    if (text.startsWith(PROGRESS)) this.#toldAt = performance.now();
  }

  /** Runs at once, or after the pause where progress was told just before. */
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
