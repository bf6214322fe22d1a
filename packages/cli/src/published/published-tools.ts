import { dirname } from 'node:path';
import type { McpServer } from '@toolwright/core';
import type { Manifest } from '@toolwright/manifest';
import { connect, type McpClient } from '@toolwright/client';
import { soundManifest } from '../build/sound-manifest.js';
import { ANY_APP, standInServer } from '../explain/stand-in-server.js';
import { connectTo, listTools, plainly } from '../remote/open-remote.js';
import { inShort, withPatterns } from '../contract/short-tools.js';
import type { Contract, ToolContract } from '../contract/lock-file.js';
import type { AppSnapshot } from '../app/app-snapshot.js';
import { lookAtApp } from '../app/look-at-app.js';
import { lookAtGateway } from '../app/look-at-gateway.js';
import { requireApp } from '../app/require-app.js';
import { everyScope, scopesOf } from '../contract/every-scope.js';
import { type Skills, listSkills } from '../contract/skills.js';
import { listParts, type Parts } from '../contract/listed-parts.js';
import { versionsOf } from '../contract/versions.js';

interface AppSource {
  /** The compiled file of an app whose own server is looked at, with its options and all that it adds. */
  app?: string | undefined;
  /** The folder that `app` is relative to. */
  cwd?: string | undefined;
  /** Whose lists of the app are read. Default: those of a caller without a tenant. */
  tenant?: string | undefined;
  /** The configuration of a gateway, in place of a project. */
  config?: string | undefined;
  /** The app accepts what servers behind offer now. */
  accepts?: boolean | undefined;
}

/** Where tools are read from: a running server, or the compiled classes of a project. */
export interface ToolSource extends AppSource {
  url?: URL;
  header: Record<string, string>;
  /** Absolute path of the tsconfig. */
  project: string;
  /** The manifest of the project, if it is known and has no errors. */
  manifest?: Manifest;
  /** For a project: the exact schemas of the methods, not simplified for clients that support less. */
  natural?: boolean;
  /** For a project: gets a sentence about each part that only its app can show. */
  needsApp?: (sentence: string) => void;
}

/** What callers of a running server, or of a project, depend on. */
export async function publishedContract(source: ToolSource): Promise<Contract> {
  requireApp(source);
  if (source.url) return listAll(await connectTo(source.url, { http: { headers: source.header } }));
  if (source.config !== undefined) {
    const { config, cwd = process.cwd(), accepts = false } = source;
    return contractIn(await lookAtGateway(config, cwd, accepts));
  }
  const manifest = source.manifest ?? (await soundManifest(source.project));
  const { lockFields } = await import('@toolwright/schema-compiler');
  const packages = lockFields({ root: dirname(source.project), manifest });
  if (source.app !== undefined) return { ...(await ofApp(source, manifest)), packages };
  const { project, natural, needsApp } = source;
  const server = await standInServer({ manifest, project, clientSafe: !natural, needsApp });
  try {
    const { parts } = await listAll(await connect(server, { principal: everyScope(server) }), [ANY_APP]);
    const tools = await listWithSources(server, manifest);
    const versions = versionsOf(server);
    return { tools, listed: natural ? tools : tools.map(inShort), parts, versions, packages };
  } finally {
    await server.close(0);
  }
}

/** The tools as clients of the newest revision see them. For a project, also what only its sources contain. */
export async function publishedTools({
  url,
  header,
  app,
  cwd,
  tenant,
  project,
  natural,
  manifest: compiled,
  needsApp,
}: ToolSource): Promise<ToolContract[]> {
  requireApp({ app, tenant });
  if (url) return list(await connectTo(url, { http: { headers: header } }));
  const manifest = compiled ?? (await soundManifest(project));
  if (app !== undefined) return [...(await ofApp({ app, cwd, tenant }, manifest)).tools];
  const server = await standInServer({ manifest, project, clientSafe: !natural, needsApp });
  try {
    return await listWithSources(server, manifest);
  } finally {
    await server.close(0);
  }
}

async function listWithSources(server: McpServer, manifest: Manifest): Promise<ToolContract[]> {
  const bound = new Map(server.tools.list().map((tool) => [tool.name, tool]));
  const tools = await list(await connect(server, { principal: everyScope(server) }));
  const scoped = tools.map((tool) => {
    const operation = bound.get(tool.name)!;
    const { deprecation } = operation;
    return {
      ...tool,
      scopes: scopesOf(operation).sort(),
      ...(deprecation && { deprecated: deprecation.reason ?? true }),
    };
  });
  return withDeprecation(scoped, manifest, (name) => bound.get(name)?.entry?.key);
}

/** Only the sources say what is deprecated. */
function withDeprecation(
  tools: readonly ToolContract[],
  { entries }: Manifest,
  keyOf: (name: string) => string | undefined,
): ToolContract[] {
  const deprecated = new Map(entries.map((entry) => [entry.key, entry.deprecated]));
  return tools.map((tool) => {
    const reason = deprecated.get(keyOf(tool.name) ?? '');
    return { ...tool, ...(reason !== undefined && { deprecated: reason }) };
  });
}

async function ofApp(
  { app = '', cwd = process.cwd(), tenant, accepts }: AppSource,
  manifest: Manifest,
): Promise<Contract> {
  const contract = contractIn(await lookAtApp(app, cwd, { tenant, accepts }));
  return { ...contract, tools: withDeprecation(contract.tools, manifest, (name) => contract.keys.get(name)) };
}

function contractIn({ tools: listed, parts, versions, explained, skills = {}, upstreams }: AppSnapshot) {
  const known = new Map(explained.map((tool) => [tool.name, tool]));
  const offered = Object.entries(upstreams).map(([name, each]) => [name, each ?? undefined] as const);
  return {
    tools: listed.map((tool) => withPatterns(tool, known.get(tool.name)?.input)),
    listed,
    parts,
    versions,
    skills,
    upstreams: Object.fromEntries(offered),
    keys: new Map(explained.map(({ name, key }) => [name, key])),
  };
}

async function listAll(
  client: McpClient,
  hidden: readonly string[] = [],
): Promise<{ tools: ToolContract[]; parts: Parts; skills?: Skills | undefined }> {
  try {
    const [tools, parts] = [await listTools(client), await listParts(client, hidden)];
    return { tools, parts, skills: await listSkills(client) };
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
