import type { TaskCarrier, TaskServer } from '@toolwright/core/extend';
import { CarriedTasks } from './carried-tasks.js';
import { QueuePort } from './queue-port.js';

/**
 * A queue of tasks. Extend it, and pass an object of your class as `stores.tasks`.
 *
 * @example
 * class OurQueue extends TaskQueue { … }
 * await createMcpServer({ …, stores: [{ tasks: new OurQueue() }], secrets });
 */
export abstract class TaskQueue extends QueuePort {
  /** Whether the queue hands out the runs of background methods. The server asks it. */
  get handsOutTicks(): boolean {
    return this.enqueueTick !== undefined;
  }

  /** Connects the queue with its server. The server calls it once, while it boots. */
  carry(server: TaskServer): TaskCarrier {
    return new CarriedTasks(this, server);
  }
}
