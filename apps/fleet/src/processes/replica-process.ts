import { NodeProcess } from './node-process.js';

/** One process of the server. */
export class ReplicaProcess extends NodeProcess {
  private constructor(
    /** `replica-1`, `replica-2`, … */
    name: string,
    readonly port: number,
    environment: NodeJS.ProcessEnv,
  ) {
    super(name, { file: 'replica.js', ready: /listening on/ }, { ...environment, PORT: String(port) });
  }

  /** @param environment the settings of the replica, as `replica-settings.ts` reads them */
  static async start(name: string, port: number, environment: NodeJS.ProcessEnv): Promise<ReplicaProcess> {
    const replica = new ReplicaProcess(name, port, environment);
    await replica.launch();
    return replica;
  }

  /** The URL of its own endpoint, past the balancer. */
  get url(): string {
    return `http://127.0.0.1:${this.port}/mcp`;
  }
}
