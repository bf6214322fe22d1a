import type { TaskRecord } from '../../ports/task-store.js';
import type { JsonObject } from '../messages/json-rpc.js';
import { describeTask } from './describe-task.js';

/**
 * Tells one listener about the state of tasks: in order, and nothing twice, even when several changes happen
 * together.
 */
export class TaskWatch {
  readonly #told = new Map<string, string>();
  #last: Promise<void> = Promise.resolve();
  #ended = false;

  constructor(
    private readonly find: (id: string) => Promise<TaskRecord | undefined>,
    private readonly tell: (task: JsonObject) => void,
  ) {}

  /** Reads the task again, because it may have changed. */
  look(id: string): void {
    // If the store cannot be read now, it is read again with the next change. The client can always poll.
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
