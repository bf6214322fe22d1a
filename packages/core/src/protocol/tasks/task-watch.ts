import type { TaskRecord } from '../../ports/task-store.js';
import type { JsonObject } from '../messages/json-rpc.js';
import { describeTask } from './describe-task.js';

/** Tells one listener how tasks are: in order, and nothing twice, however many changes fell together. */
export class TaskWatch {
  readonly #told = new Map<string, string>();
  #last: Promise<void> = Promise.resolve();
  #ended = false;

  constructor(
    private readonly find: (id: string) => Promise<TaskRecord | undefined>,
    private readonly tell: (task: JsonObject) => void,
  ) {}

  /** Reads the task again, since it may have changed. */
  look(id: string): void {
    // A store that cannot be read now is looked at again with the next change; polling is always open to the client.
    this.#last = this.#last.then(() => this.#look(id)).catch(() => undefined);
  }

  end(): void {
    this.#ended = true;
  }

  async #look(id: string): Promise<void> {
    const task = this.#ended ? undefined : await this.find(id);
    if (!task || this.#ended) return;
    const description = describeTask(task);
    const text = JSON.stringify(description);
    if (this.#told.get(id) === text) return;
    this.#told.set(id, text);
    this.tell(description);
  }
}
