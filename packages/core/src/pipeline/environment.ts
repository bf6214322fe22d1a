import type { AuditSink } from '../ports/audit-sink.js';
import type { Clock } from '../ports/clock.js';
import type { IdSource } from '../ports/id-source.js';
import type { Logger } from '../ports/logger.js';
import type { PipelineOptions } from './pipeline-options.js';

/** What planning and running chains needs of the server. One per server; made by `createEnvironment`. */
export interface Environment {
  readonly options: PipelineOptions;
  readonly clock: Clock;
  readonly ids: IdSource;
  readonly logger: Logger;
  readonly audit: AuditSink | undefined;
}

/** What a server brings to the pipeline besides its options. */
export interface EnvironmentPorts {
  clock: Clock;
  logger: Logger;
  ids?: IdSource;
}

export declare function createEnvironment(options: PipelineOptions, ports: EnvironmentPorts): Environment;
