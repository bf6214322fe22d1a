import type { Results } from '../src/report/results.js';
import type { Measurement, Sample } from '../src/workloads/workload.js';

/** Results that hold these samples: by workload, contestant and Node.js. */
export function resultsOf(
  entries: [workload: string, contestant: string, node: string, ...samples: Sample[]][],
  problems: Measurement[] = [],
): Results {
  const measurements = entries.map(([workload, contestant, node, ...samples]): Measurement => ({
    workload,
    contestant,
    node,
    dialect: 'modern',
    samples,
  }));
  return {
    date: '2026-01-01T00:00:00.000Z',
    machine: { processor: 'test', cores: 2, platform: 'test', pinned: true },
    load: 'none',
    rounds: 1,
    seconds: 1,
    nodes: ['20.19.0', '24.0.0'],
    versions: {},
    measurements: [...measurements, ...problems],
  };
}
