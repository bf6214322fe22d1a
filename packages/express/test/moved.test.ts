import * as http from '@toolwright/http';
import { mcpHealth, oauthResourceServer, serveHttp } from '../src/index.js';

test('what mounts need besides the mount is passed on from @toolwright/http', () => {
  expect(http).toMatchObject({ mcpHealth, oauthResourceServer, serveHttp });
});
