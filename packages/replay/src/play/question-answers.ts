import type { ClientOptions } from '@toolwright/client';
import type { KeptCall, KeptQuestion } from '../read/kept-call.js';

/** Answers the questions of a server as they were answered when the call was recorded. */
export class QuestionAnswers {
  #left: KeptQuestion[] = [];
  #unexpected: string | undefined;

  /** The next call begins. */
  begin({ questions }: KeptCall): void {
    this.#left = [...questions];
    this.#unexpected = undefined;
  }

  /** The method of a question that the recording does not have. */
  get unexpected(): string | undefined {
    return this.#unexpected;
  }

  /** How many recorded questions nobody asked. */
  get unasked(): number {
    return this.#left.length;
  }

  /** The functions of a client that can answer this much. */
  handlers(answers: readonly string[]): Pick<ClientOptions, 'elicit' | 'sample' | 'roots'> {
    return {
      ...(answers.includes('elicitation') && { elicit: () => this.#next('elicitation/create') as never }),
      ...(answers.includes('sampling') && { sample: () => this.#next('sampling/createMessage') as never }),
      ...(answers.includes('roots') && { roots: () => (this.#next('roots/list')['roots'] ?? []) as never }),
    };
  }

  /** @throws {Error} if the recording has no answer, or the client refused */
  #next(method: string): Readonly<Record<string, unknown>> {
    const at = this.#left.findIndex((each) => each.method === method);
    const [question] = at < 0 ? [] : this.#left.splice(at, 1);
    if (question?.answer && 'result' in question.answer) return question.answer.result;
    if (!question) this.#unexpected = method;
    throw new Error('The recording has no answer to this question.');
  }
}
