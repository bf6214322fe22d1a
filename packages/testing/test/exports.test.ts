import * as testing from '../src/index.js';

test('the values that the package exports', () => {
  expect(Object.keys(testing).sort()).toMatchInlineSnapshot(`
    [
      "McpClient",
      "RpcError",
      "capabilitiesOf",
      "connect",
      "describeAuditSink",
      "describeClaimStore",
      "describeClock",
      "describeEventBus",
      "describeEventStore",
      "describeIdSource",
      "describeRateLimiter",
      "describeTaskRunner",
      "describeTaskStore",
      "matchers",
      "openClient",
    ]
  `);
});
