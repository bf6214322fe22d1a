import { join } from 'node:path';
import { Billing } from '@shop/billing';
import { Catalogue } from '@shop/catalogue';
import { ConfigurationError, createMcpServer } from '@toolwright/core';

describe('a server that lacks the manifest of one package', () => {
  it('does not start, and names the class that has none', async () => {
    const start = createMcpServer({
      name: 'shop',
      version: '1.0.0',
      services: [Catalogue, Billing],
      manifest: join(__dirname, '..', 'catalogue', 'mcp.manifest.json'),
    });
    const error: unknown = await start.catch((thrown: unknown) => thrown);

    expect(error).toBeInstanceOf(ConfigurationError);
    const unmatched = (error as ConfigurationError).problems.filter(
      ({ code }) => code === 'TW_MANIFEST_UNMATCHED',
    );
    expect(unmatched).toEqual([
      expect.objectContaining({
        message: expect.stringContaining('Billing'),
        fix: expect.stringContaining('toolwright build'),
      }),
    ]);
  });
});
