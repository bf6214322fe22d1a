import type { McpHandler } from '@toolwright/http';
import express5 from 'express';
import express4 from 'express-4';

/** Checked by `pnpm typecheck`: each version accepts the handler. */
const mounts: ((handler: McpHandler) => unknown)[] = [
  (handler) => express4().use('/mcp', handler),
  (handler) => express4.Router().all('/mcp', handler),
  (handler) => express5().use('/mcp', handler),
  (handler) => express5.Router().all('/mcp', handler),
];

test.each(mounts)('Express accepts the handler', (mount) => {
  expect(() => mount(() => undefined)).not.toThrow();
});
