import { dirname, join } from 'node:path';
import { NodeProcess } from './node-process.js';

const TASKS_AT_A_TIME = 16;

const operate = join(
  dirname(require.resolve('@toolwright/operate/package.json')),
  'bin/toolwright-operate.js',
);

/** A process that only works on tasks, as in production. It listens nowhere. */
export class WorkerProcess extends NodeProcess {
  private constructor(
    /** `worker-1`, `worker-2`, … */
    name: string,
    environment: NodeJS.ProcessEnv,
  ) {
    const concurrency = environment.TASK_CONCURRENCY || String(TASKS_AT_A_TIME);
    const program = {
      before: [operate, 'worker'],
      file: 'create-server.js',
      after: ['--concurrency', concurrency],
      ready: /working on/,
    };
    super(name, program, environment);
  }

  /** @param environment the settings of the worker, as `replica-settings.ts` reads them */
  static async start(name: string, environment: NodeJS.ProcessEnv): Promise<WorkerProcess> {
    const worker = new WorkerProcess(name, environment);
    await worker.launch();
    return worker;
  }
}
