import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parse } from 'yaml';

export interface Step {
  id?: string;
  run?: string;
  uses?: string;
  with?: Record<string, unknown>;
  env?: Record<string, string>;
}

export interface Job {
  if?: string;
  needs?: string;
  uses?: string;
  environment?: string;
  permissions?: Record<string, string>;
  'timeout-minutes'?: number;
  steps?: Step[];
}

export interface Workflow {
  name: string;
  permissions?: unknown;
  jobs: Record<string, Job>;
  /** The file as it is written, comments included. */
  text: string;
}

const folder = join(__dirname, '../../../.github/workflows');

export function readWorkflow(file: string): Workflow {
  const text = readFileSync(join(folder, file), 'utf8');
  return { ...(parse(text) as Omit<Workflow, 'text'>), text };
}

export const workflows = readdirSync(folder).map(readWorkflow);

/** Every job of every workflow, with a name for messages. */
export const jobs = workflows.flatMap(({ name, jobs: own }) =>
  Object.entries(own).map(([id, job]) => [`${name}/${id}`, job] as const),
);
