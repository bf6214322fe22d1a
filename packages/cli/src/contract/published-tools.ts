import { dirname } from 'node:path';
import type { McpServer } from '@toolwright/core';
import type { Manifest } from '@toolwright/manifest';
import { connect, type McpClient } from '@toolwright/client';
import { soundManifest } from '../build/sound-manifest.js';
import { standInServer } from '../explain/stand-in-server.js';
import { connectTo, listTools, plainly } from '../remote/open-remote.js';
import type { Contract, ToolContract } from './lock-file.js';
import { loadCore } from '../load-core.js';

/** Where tools are read from: a running server, or the compiled classes of a project. */
export interface ToolSource {
  url?: URL;
  header: Record<string, string>;
  /** Absolute path of the tsconfig. */
  project: string;
  /** The manifest of the project, if it is known and has no errors. */
  manifest?: Manifest;
  /** For a project: the exact schemas of the methods, not simplified for clients that support less. */
  natural?: boolean;
}

/** What callers of a running server, or of a project, depend on. */
export async function publishedContract(source: Omit<ToolSource, 'manifest'>): Promise<Contract> {
  if (source.url) return { tools: await publishedTools(source) };
  const manifest = await soundManifest(source.project);
  const { lockFields } = await import('@toolwright/schema-compiler');
  const packages = lockFields({ root: dirname(source.project), manifest });
  return { tools: await publishedTools({ ...source, manifest }), packages };
}

/** The tools as clients of the newest revision see them. For a project, also what only its sources contain. */
export async function publishedTools({
  url,
  header,
  project,
  natural,
  manifest: compiled,
}: ToolSource): Promise<ToolContract[]> {
  if (url) return list(await connectTo(url, { http: { headers: header } }));
  const manifest = compiled ?? (await soundManifest(project));
  const server = await standInServer({ manifest, project, clientSafe: !natural });
  try {
    return await listWithSources(server, manifest);
  } finally {
    await server.close(0);
  }
}

async function listWithSources(server: McpServer, manifest: Manifest): Promise<ToolContract[]> {
  const { RequireScopes } = loadCore();
  const bound = new Map(server.tools.list().map((tool) => [tool.name, tool]));
  const scopesOf = (name: string) => [...(RequireScopes.of(bound.get(name)!)?.options.scopes ?? [])].sort();
  // A caller sees only the tools that its scopes allow. This caller has all scopes.
  const scopes = [...bound.keys()].flatMap(scopesOf);
  const deprecated = new Map(manifest.entries.map((entry) => [entry.key, entry.deprecated]));
  const tools = await list(await connect(server, { principal: { subject: 'toolwright', scopes } }));
  return tools.map((tool) => {
    const reason = deprecated.get(bound.get(tool.name)?.entry?.key ?? '');
    return { ...tool, scopes: scopesOf(tool.name), ...(reason !== undefined && { deprecated: reason }) };
  });
}

async function list(client: McpClient): Promise<ToolContract[]> {
  try {
    return await listTools(client);
  } catch (error) {
    throw plainly(error);
  } finally {
    await client.close();
  }
}
