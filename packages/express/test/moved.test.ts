import * as http from '@toolwright/http';
import { mcpHealth, oauthResourceServer, serveHttp } from '../src/index.js';

test.each(Object.entries({ mcpHealth, oauthResourceServer, serveHttp }))(
  '%s is the function of @toolwright/http, behind a warning',
  (name, old) => {
    // `deprecate` of Node.js makes the function that it calls the prototype of the one that warns.
    expect(Object.getPrototypeOf(old)).toBe(http[name as keyof typeof http]);
  },
);
