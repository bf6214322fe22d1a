import * as client from '@toolwright/client';
import { capabilitiesOf, connect, McpClient, openClient, RpcError } from '../src/index.js';

test('the client is the one of @toolwright/client', () => {
  expect(client).toMatchObject({ connect, McpClient, RpcError });
});

test.each(Object.entries({ capabilitiesOf, openClient }))(
  '%s is the function of @toolwright/client, behind a warning',
  (name, old) => {
    // `deprecate` of Node.js makes the function that it calls the prototype of the one that warns.
    expect(Object.getPrototypeOf(old)).toBe(client[name as keyof typeof client]);
  },
);
