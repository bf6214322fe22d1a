import { logs, type Logger } from '@opentelemetry/api-logs';
import { otelLogsSink } from '../src/index.js';

// Our own types must stay compatible with those of the optional peer.
test('a logger of the API is accepted', async () => {
  const logger: Logger = logs.getLogger('toolwright.audit');
  await expect(otelLogsSink({ logger }).ship([])).resolves.toBeUndefined();
});
