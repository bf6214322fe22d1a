import { dirname } from 'node:path';
import type { McpServer } from '@toolwright/core';
import type { Manifest } from '@toolwright/manifest';
import { connect, type McpClient } from '@toolwright/client';
import { soundManifest } from '../build/sound-manifest.js';
import { ANY_APP, standInServer } from '../explain/stand-in-server.js';
import { connectTo, listTools, plainly } from '../remote/open-remote.js';
import type { Contract, ToolContract } from './lock-file.js';
import { listParts, type Parts } from './listed-parts.js';
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
  if (source.url) return listAll(await connectTo(source.url, { http: { headers: source.header } }));
  const manifest = await soundManifest(source.project);
  const { lockFields } = await import('@toolwright/schema-compiler');
  const packages = lockFields({ root: dirname(source.project), manifest });
  const server = await standInServer({ manifest, project: source.project, clientSafe: !source.natural });
  try {
    const { parts } = await listAll(await connect(server, { principal: everyScope(server) }), [ANY_APP]);
    return { tools: await listWithSources(server, manifest), parts, packages };
  } finally {
    await server.close(0);
  }
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
  const bound = new Map(server.tools.list().map((tool) => [tool.name, tool]));
  const deprecated = new Map(manifest.entries.map((entry) => [entry.key, entry.deprecated]));
  const tools = await list(await connect(server, { principal: everyScope(server) }));
  return tools.map((tool) => {
    const reason = deprecated.get(bound.get(tool.name)?.entry?.key ?? '');
    return {
      ...tool,
      scopes: scopesOf(bound.get(tool.name)!).sort(),
      ...(reason !== undefined && { deprecated: reason }),
    };
  });
}

function scopesOf(operation: Parameters<ReturnType<typeof loadCore>['RequireScopes']['of']>[0]): string[] {
  return [...(loadCore().RequireScopes.of(operation)?.options.scopes ?? [])];
}

/** A caller sees only what its scopes allow. This caller has all scopes. */
function everyScope({ tools, prompts, resources, resourceTemplates }: McpServer) {
  const operations = [tools, prompts, resources, resourceTemplates].flatMap((each) => [...each.list()]);
  return { subject: 'toolwright', scopes: operations.flatMap(scopesOf) };
}

async function listAll(
  client: McpClient,
  hidden: readonly string[] = [],
): Promise<{ tools: ToolContract[]; parts: Parts }> {
  try {
    return { tools: await listTools(client), parts: await listParts(client, hidden) };
  } catch (error) {
    throw plainly(error);
  } finally {
    await client.close();
  }
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
