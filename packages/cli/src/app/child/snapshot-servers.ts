import type { McpServer } from '@toolwright/core';
import type { ExplainedPrograms, UpstreamServer } from '@toolwright/core/operate';
import { connect } from '@toolwright/client';
import { isFor } from '@toolwright/json';
import type {} from '@toolwright/search';
import { listParts, type Parts } from '../../contract/listed-parts.js';
import { everyScope, scopesOf } from '../../contract/every-scope.js';
import type { UpstreamContract } from '../../contract/lock-file.js';
import { type Skills, listSkills } from '../../contract/skills.js';
import { type ServedTool, contractOf, contractsForOthers } from '../../contract/bound-contract.js';
import { versionsOf } from '../../contract/versions.js';
import { listTools } from '../../remote/list-tools.js';
import type { AppSnapshot } from '../app-snapshot.js';

/**
 * All servers of an app in one. If two have an operation of the same name, the first one counts.
 *
 * @param hidden keys of resources and templates that are left out
 */
export async function snapshotServers(
  servers: readonly McpServer[],
  tenant: string | undefined,
  hidden: readonly string[] = [],
): Promise<AppSnapshot> {
  const of = tenant === undefined ? {} : { tenant };
  const snapshots = [];
  for (const server of servers) snapshots.push(await snapshotServer(server, of, hidden));
  return {
    servers: snapshots.flatMap((each) => each.servers),
    operations: snapshots.flatMap((each) => each.operations),
    explained: firstOfEach(snapshots.flatMap((each) => each.explained)),
    ofPackages: snapshots.flatMap((each) => each.ofPackages),
    tools: firstOfEach(snapshots.flatMap((each) => each.tools)),
    firstPage: snapshots.flatMap((each) => each.firstPage),
    versions: firstOfEach(snapshots.flatMap((each) => each.versions)),
    unlisted: firstOfEach(snapshots.flatMap((each) => each.unlisted)),
    forOthers: firstOfEach(snapshots.flatMap((each) => each.forOthers)),
    parts: mergeParts(snapshots.map((each) => each.parts)),
    ...mergeSkills(snapshots),
    ...firstPrograms(snapshots),
    upstreams: Object.assign({}, ...snapshots.map((each) => each.upstreams)) as AppSnapshot['upstreams'],
    seenByAll: snapshots.flatMap((each) => each.seenByAll),
    pages: snapshots.flatMap((each) => each.pages),
  };
}

/** Accepts what servers behind offer, so that the app shows it. Nothing is written: the command writes the lock. */
export async function acceptUpstreams(servers: readonly McpServer[]): Promise<void> {
  for (const server of servers)
    for (const { name } of upstreamsOf(server))
      await server.operate('toolwright lock').ask('mounts.accept', { mount: name });
}

/** The app may have an older core, which has none. */
const upstreamsOf = (server: McpServer): readonly UpstreamServer[] =>
  (server.operate('toolwright') as Partial<ReturnType<McpServer['operate']>>).upstreams?.() ?? [];

function offeredBy({ tools, prompts }: NonNullable<UpstreamServer['offered']>): UpstreamContract {
  const byName = (all: readonly object[]) =>
    Object.fromEntries(
      (all as { name: string }[]).map((each) => [each.name, each]).sort(([a], [b]) => (a! < b! ? -1 : 1)),
    ) as UpstreamContract['tools'];
  return { tools: byName(tools), prompts: byName(prompts) };
}

function firstOfEach<T extends { name: string }>(all: readonly T[]): T[] {
  return [...new Map([...all].reverse().map((each) => [each.name, each])).values()].reverse();
}

function mergeParts(all: readonly Parts[]): Parts {
  const kinds = ['prompts', 'resources', 'resourceTemplates'] as const;
  return Object.fromEntries(
    kinds.map((kind) => [kind, Object.assign({}, ...all.map((parts) => parts[kind]).reverse()) as object]),
  );
}

function mergeSkills(all: readonly Pick<AppSnapshot, 'skills'>[]): Pick<AppSnapshot, 'skills'> {
  const found = all.map(({ skills }) => skills).filter((skills): skills is Skills => skills !== undefined);
  return found.length > 0 ? { skills: Object.assign({}, ...found.reverse()) as Skills } : {};
}

/** An app has one server with code mode at most, as far as commands know. */
function firstPrograms(all: readonly Pick<AppSnapshot, 'programs'>[]): Pick<AppSnapshot, 'programs'> {
  const found = all.find(({ programs }) => programs !== undefined);
  return found ? { programs: found.programs! } : {};
}

/** What programs of this caller may do, in a server with code mode. */
async function programsOf(server: McpServer, caller: object): Promise<Pick<AppSnapshot, 'programs'>> {
  const operator = server.operate('toolwright') as Partial<ReturnType<McpServer['operate']>>;
  if (!operator.methods?.includes('code.explain')) return {};
  return { programs: (await operator.ask!('code.explain', { caller })) as ExplainedPrograms };
}

async function snapshotServer(
  server: McpServer,
  of: { tenant?: string },
  hidden: readonly string[],
): Promise<AppSnapshot> {
  const principal = { ...everyScope(server), ...of };
  // Tools of one name are for different callers. With a tenant, those of its callers count.
  const isRead = (tool: ServedTool) => isFor(tool, principal);
  const bound = new Map(
    server.tools
      .list()
      .filter(isRead)
      .map((tool) => [tool.name, tool]),
  );
  const caller = 'tenant' in of ? { principal } : undefined;
  // The newest version is explained under the bare name.
  const older = server.tools.list({ unlisted: true }).filter((tool) => tool.isUnlisted && tool.isOutdated);
  const names = new Set([...server.tools.list(), ...older].map(({ name }) => name));
  const client = await connect(server, { principal });
  const tools = await listTools(client);
  const { tools: firstPage } = await client.request('tools/list');
  const parts = await listParts(client, hidden);
  const skills = await listSkills(client);
  await client.close();
  return {
    servers: [`${server.info.name} ${server.info.version}`],
    operations: operationsOf(server),
    explained: [...names].flatMap((name) => server.explain(name, caller) ?? []),
    ofPackages: server.tools
      .list()
      .filter(({ extra }) => extra?.origin?.startsWith('@toolwright/'))
      .map(({ name }) => name),
    tools: tools.map((tool) => {
      const operation = bound.get(tool.name);
      const { deprecation } = operation ?? {};
      return {
        ...tool,
        ...(operation && { scopes: scopesOf(operation).sort() }),
        ...(deprecation && { deprecated: deprecation.reason ?? true }),
      };
    }),
    firstPage: (firstPage as typeof tools).map(({ name }) => name),
    versions: versionsOf(server, isRead),
    unlisted: [...bound.values()]
      .filter((tool) => !tool.isUnlisted && !tools.some(({ name }) => name === tool.name))
      .map((tool) => contractOf(tool)),
    forOthers: contractsForOthers(server.tools.list({ unlisted: true }), isRead),
    parts,
    ...(skills && { skills }),
    ...(await programsOf(server, principal)),
    upstreams: Object.fromEntries(
      upstreamsOf(server).map(({ name, offered }) => [name, offered ? offeredBy(offered) : null]),
    ),
    seenByAll: await namesWithoutScopes(server, of),
    pages: server.resources
      .list()
      .flatMap(({ uri, ui, entry }) => (ui ? [{ uri, ui, ...(entry && { location: entry.location }) }] : [])),
  };
}

function operationsOf({
  tools,
  prompts,
  resources,
  resourceTemplates,
}: McpServer): AppSnapshot['operations'] {
  return [
    ...[...tools.list({ unlisted: true }), ...prompts.list()].map(({ name, entry }) => ({
      name,
      key: entry?.key,
    })),
    ...resources.list().map(({ uri, entry }) => ({ name: uri, key: entry?.key })),
    ...resourceTemplates.list().map(({ uriTemplate, entry }) => ({ name: uriTemplate, key: entry?.key })),
  ].map(({ name, key }) => ({ name, ...(key !== undefined && { key }) }));
}

async function namesWithoutScopes(server: McpServer, of: { tenant?: string }): Promise<string[]> {
  const client = await connect(server, { principal: { subject: 'toolwright', scopes: [], ...of } });
  const tools = await listTools(client);
  await client.close();
  return tools.map(({ name }) => name);
}
