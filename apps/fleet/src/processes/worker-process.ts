import { NodeProcess } from './node-process.js';

/** A process that only works on tasks. It listens nowhere, unless `HEALTH_PORT` is set. */
export class WorkerProcess extends NodeProcess {
  private constructor(
    /** `worker-1`, `worker-2`, … */
    name: string,
    environment: NodeJS.ProcessEnv,
  ) {
    super(name, { file: 'worker.js', ready: /working on/ }, environment);
  }

  /** @param environment the settings of the worker, as `replica-settings.ts` reads them */
  static async start(name: string, environment: NodeJS.ProcessEnv): Promise<WorkerProcess> {
    const worker = new WorkerProcess(name, environment);
    await worker.launch();
    return worker;
  }
}
