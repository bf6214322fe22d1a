import { dirname } from 'node:path';
import type { Manifest } from '@toolwright/manifest';
import type { McpClient } from '@toolwright/client';
import { soundManifest } from '../build/sound-manifest.js';
import { listTools } from '../remote/list-tools.js';
import { connectTo, plainly } from '../remote/open-remote.js';
import { inShort, withPatterns } from '../contract/short-tools.js';
import type { Contract, ToolContract } from '../contract/lock-file.js';
import type { AppSnapshot } from '../app/app-snapshot.js';
import { lookAtApp } from '../app/look-at-app.js';
import { lookAtGateway, lookAtProject } from '../app/look-at-project.js';
import { addedAtRunTime, UNSEEN_FROM_OUTSIDE } from '../contract/not-looked-at.js';
import { unknownAudiences, withSourceWords } from '../contract/audiences.js';
import { readLockSettings } from '../contract/lock-settings.js';
import { requireApp } from '../app/require-app.js';
import { type Skills, listSkills } from '../contract/skills.js';
import { listParts, type Parts } from '../contract/listed-parts.js';

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
  /** The classes of the project, if they have been looked at already. */
  seen?: AppSnapshot;
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
  if (source.url) {
    const listed = await listAll(await connectTo(source.url, { http: { headers: source.header } }));
    return { ...listed, notLookedAt: UNSEEN_FROM_OUTSIDE };
  }
  if (source.config !== undefined) {
    const { config, cwd = process.cwd(), accepts = false } = source;
    return contractIn(await lookAtGateway(config, cwd, accepts));
  }
  const manifest = source.manifest ?? (await soundManifest(source.project));
  const { lockFields } = await import('@toolwright/schema-compiler');
  const packages = lockFields({ root: dirname(source.project), manifest });
  const root = dirname(source.project);
  if (source.app !== undefined) {
    const contract = await ofApp(source, manifest);
    const { forOthers } = contract;
    const others = forOthers && { forOthers: withSourceWords(forOthers, root, manifest) };
    return { ...contract, ...others, packages };
  }
  const { project, natural, needsApp } = source;
  const { openapi } = readLockSettings(root);
  const notLookedAt = addedAtRunTime(root, manifest, openapi.length > 0);
  const tell = (sentence: string) => {
    notLookedAt.push(sentence.replace(/\.$/, ''));
    needsApp?.(sentence);
  };
  const asked = { manifest, project, clientSafe: !natural, openapi, needsApp: tell };
  const seen = source.seen ?? (await lookAtProject(asked));
  const tools = withDeprecation(seen, manifest);
  const { parts, versions } = seen;
  const forOthers = withSourceWords(seen.forOthers, root, manifest);
  const listed = natural ? tools : tools.map(inShort);
  notLookedAt.push(...unknownAudiences(seen.forOthers));
  return { tools, listed, parts, versions, forOthers, packages, notLookedAt };
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
  requireApp({ app, tenant, url });
  if (url) return list(await connectTo(url, { http: { headers: header } }));
  const manifest = compiled ?? (await soundManifest(project));
  if (app !== undefined) return [...(await ofApp({ app, cwd, tenant }, manifest)).tools];
  return withDeprecation(
    await lookAtProject({ manifest, project, clientSafe: !natural, needsApp }),
    manifest,
  );
}

/** Only the sources say what is deprecated. */
function withDeprecation(
  { tools, explained }: Pick<AppSnapshot, 'tools' | 'explained'>,
  { entries }: Manifest,
): ToolContract[] {
  const keys = new Map(explained.map(({ name, key }) => [name, key]));
  const deprecated = new Map(entries.map((entry) => [entry.key, entry.deprecated]));
  return tools.map((tool) => {
    const reason = deprecated.get(keys.get(tool.name) ?? '');
    return { ...tool, ...(reason !== undefined && { deprecated: reason }) };
  });
}

async function ofApp(
  { app = '', cwd = process.cwd(), tenant, accepts }: AppSource,
  manifest: Manifest,
): Promise<Contract> {
  const seen = await lookAtApp(app, cwd, { tenant, accepts });
  const contract = contractIn(seen, tenant);
  return { ...contract, tools: withDeprecation({ ...seen, tools: contract.tools }, manifest) };
}

function contractIn(
  { tools: listed, unlisted, forOthers, parts, versions, explained, skills = {}, upstreams }: AppSnapshot,
  tenant?: string,
) {
  const known = new Map(explained.map((tool) => [tool.name, tool]));
  const offered = Object.entries(upstreams).map(([name, each]) => [name, each ?? undefined] as const);
  return {
    tools: [...listed.map((tool) => withPatterns(tool, known.get(tool.name)?.input)), ...unlisted],
    listed,
    parts,
    versions,
    // A lock of one tenant has nothing of the others.
    ...(tenant === undefined ? { forOthers } : { tenant }),
    skills,
    upstreams: Object.fromEntries(offered),
    notLookedAt: [
      ...offered
        .filter(([, each]) => !each)
        .map(
          ([name]) =>
            `the mounted server ${name} cannot be reached: what was accepted of it stays in the lock`,
        ),
      ...unknownAudiences(tenant === undefined ? forOthers : []),
    ],
  };
}

async function listAll(
  client: McpClient,
): Promise<{ tools: ToolContract[]; parts: Parts; skills?: Skills | undefined }> {
  try {
    const [tools, parts] = [await listTools(client), await listParts(client)];
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
