import { createMcpServer, McpService, McpTool, RequireScopes } from '@toolwright/core';
import { connect } from '@toolwright/testing';
import { silentLogger } from '@toolwright/core/ports';
import { handMadeManifest } from './packages/hand-made-manifest.js';

@McpService()
@RequireScopes('tickets:read', { whenMissing: 'list' })
class Tickets {
  /** Close. */
  @McpTool({ annotations: { destructiveHint: true } })
  @RequireScopes('tickets:write', { withClass: true })
  close(): string {
    return 'closed';
  }

  /** Reopen. */
  @McpTool({ annotations: { destructiveHint: false } })
  @RequireScopes('tickets:write')
  reopen(): string {
    return 'open';
  }
}

test('withClass adds to the scopes of the class, which a method otherwise replaces', async () => {
  const server = await createMcpServer({
    ...{ name: 'desk', version: '1', services: [Tickets] },
    logger: silentLogger,
    manifest: handMadeManifest({ file: __filename, name: 'Tickets', methods: { close: [], reopen: [] } }),
  });
  const client = await connect(server, { principal: { subject: 'ann', scopes: ['tickets:write'] } });
  try {
    const tools = await client.tools();
    expect(tools.map(({ name }) => name)).toEqual(['close', 'reopen']);
    const securitySchemes = [{ type: 'oauth2', scopes: ['tickets:read', 'tickets:write'] }];
    expect(tools[0]).toMatchObject({ securitySchemes });
    expect(tools[1]).not.toHaveProperty('securitySchemes');
    expect(await client.call('close', {})).toMatchObject({ isError: true });
    expect((await client.call('reopen', {})).isError).toBeUndefined();
  } finally {
    await client.close();
    await server.close();
  }
});
