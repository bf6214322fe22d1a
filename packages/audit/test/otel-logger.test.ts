import { logs, type Logger } from '@opentelemetry/api-logs';
import { otelLogsSink } from '../src/index.js';

// Written out in our own types, which must not drift from those of the optional peer.
test('a logger of the API is taken as it is', async () => {
  const logger: Logger = logs.getLogger('toolwright.audit');
  await expect(otelLogsSink({ logger }).ship([])).resolves.toBeUndefined();
});
