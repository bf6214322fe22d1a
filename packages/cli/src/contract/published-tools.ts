import { connect, type McpClient } from '@toolwright/testing';
import { CommandError } from '../command-error.js';
import { standInServer } from '../explain/stand-in-server.js';
import { connectTo } from '../remote/connect-to.js';
import type { ToolContract } from './tool-contract.js';

/** Where tools are read from: a running server, or else the compiled classes of a project. */
export interface ToolSource {
  url?: URL;
  header: Record<string, string>;
  /** Absolute path of the tsconfig. */
  project: string;
}

/** The tools as clients of the newest revision see them. */
export async function publishedTools({ url, header, project }: ToolSource): Promise<ToolContract[]> {
  if (url) return list(await connectTo(url, { headers: header }));
  const { buildManifest } = await import('@toolwright/schema-compiler');
  const { manifest, diagnostics } = await buildManifest({ project });
  if (diagnostics.some(({ severity }) => severity === 'error')) {
    throw new CommandError('The project has schema errors: see toolwright build.');
  }
  const server = await standInServer({ manifest, project });
  try {
    return await list(await connect(server));
  } finally {
    await server.close(0);
  }
}

async function list(client: McpClient): Promise<ToolContract[]> {
  try {
    return await client.tools();
  } finally {
    await client.close();
  }
}
