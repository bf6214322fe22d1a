import type { ErrorRequestHandler } from 'express';
import { describeMount } from '../../http/test/support/mount-contract.js';
import { mcpExpress } from '../src/index.js';
import { closeApps, serveApp, versions } from './support/served-app.js';

afterEach(closeApps);

describe.each(versions)('%s', (name, express) => {
  describeMount(name, ({ server, prefix, options, trustsProxy, caught }) => {
    const app = express();
    if (trustsProxy) app.set('trust proxy', 'loopback');
    app.use(`${prefix}/mcp`, mcpExpress(server, options));
    app.use(((error, _req, res, _next) => {
      caught.push(error);
      res.status(418).json({ mine: error.message });
    }) as ErrorRequestHandler);
    return serveApp(app);
  });
});
