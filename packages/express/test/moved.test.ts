import * as http from '@toolwright/http';
import { mcpHealth, oauthResourceServer, serveHttp } from '../src/index.js';

test('everything that moved to @toolwright/http is the same in both places', () => {
  expect(http).toMatchObject({ mcpHealth, oauthResourceServer, serveHttp });
});
