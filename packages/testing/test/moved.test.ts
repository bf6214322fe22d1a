import * as client from '@toolwright/client';
import { capabilitiesOf, connect, McpClient, openClient, RpcError } from '../src/index.js';

test('everything that moved to @toolwright/client is the same in both places', () => {
  expect(client).toMatchObject({ capabilitiesOf, connect, McpClient, openClient, RpcError });
});
