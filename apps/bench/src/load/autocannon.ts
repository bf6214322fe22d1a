import autocannon from 'autocannon';
import { quantile } from '../report/statistics.js';
import { installedVersion } from '../report/versions.js';
import type { Load, LoadGenerator, LoadResult } from './load.js';

/** autocannon, in this process. Its own histogram counts whole milliseconds, so latencies are kept here. */
export const autocannonLoad: LoadGenerator = { name: `autocannon ${installedVersion('autocannon')}`, run };

async function run(load: Load): Promise<LoadResult> {
  const latencies: number[] = [];
  let bytes = 0;
  const { duration, errors, non2xx } = await new Promise<autocannon.Result>((resolve, reject) => {
    autocannon(settingsFor(load), (error: unknown, result) => (error ? reject(error) : resolve(result))).on(
      'response',
      (_client, _status, size, milliseconds) => {
        latencies.push(milliseconds);
        bytes += size;
      },
    );
  });
  latencies.sort((a, b) => a - b);
  return {
    answers: latencies.length,
    seconds: duration,
    bytes,
    failures: errors + non2xx,
    p50: quantile(latencies, 0.5),
    p99: quantile(latencies, 0.99),
  };
}

/** When each answer came, in milliseconds since the first request. */
export async function answerTimes(load: Load): Promise<number[]> {
  const times: number[] = [];
  const start = performance.now();
  const { errors, non2xx } = await new Promise<autocannon.Result>((resolve, reject) => {
    autocannon(settingsFor(load), (error: unknown, result) => (error ? reject(error) : resolve(result))).on(
      'response',
      () => times.push(performance.now() - start),
    );
  });
  if (errors + non2xx > 0) throw new Error(`${errors + non2xx} failures in ${times.length} answers`);
  return times;
}

function settingsFor({ port, seconds, connections, requests }: Load): autocannon.Options {
  let next = 0;
  return {
    url: `http://127.0.0.1:${port}${requests[0]!.path}`,
    method: 'POST',
    connections,
    duration: seconds,
    setupClient: (client) => {
      const { headers, body } = requests[next++ % requests.length]!;
      client.setHeadersAndBody(headers, body);
    },
  };
}
