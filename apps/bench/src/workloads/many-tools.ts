import type { Dialect } from '../contestants/settings.js';
import { against, share } from './against.js';
import { httpLoad } from './http-load.js';
import { callExam } from './questions.js';
import type { Workload } from './workload.js';

/** The same contestant with many tools and with one. */
export function manyTools(tools: number, dialects: Dialect[]): Workload {
  const calls = (count: number) =>
    httpLoad({
      name: `call-${count}-1`,
      title: `tools/call with ${count} tools against 1 tool, 16 connections`,
      exam: callExam(count),
      connections: 16,
      dialects,
    });
  const unit = 'of the rate with 1 tool';
  return { ...against(calls(tools), calls(1), unit), metrics: [share(unit)] };
}
