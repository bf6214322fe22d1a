import { type BoundResource, JsonRpcCode, ProtocolError, type RequestContext } from '@toolwright/core';
import type { ExtensionMethod } from '@toolwright/core/extend';
import type { SkillCatalogue } from './catalogue.js';
import type { ServedSkill } from './served-skill.js';

/** The extension of the protocol (SEP-2640). */
export const SKILLS_EXTENSION = 'io.modelcontextprotocol/skills';

/** What the methods ask a server. */
interface SkillServer {
  catalogue(): SkillCatalogue;
  /** What `resources/list` shows to the caller. */
  shown(request: RequestContext): Promise<ReadonlySet<BoundResource>>;
  /** Whether callers see different skills, so that no cache may share an answer. */
  isPerCaller(): boolean;
}

/** `skills/list`, `skills/get` and `resources/directory/read`. Each shows what the caller finds in `resources/list`. */
export function skillMethods(server: SkillServer): ExtensionMethod[] {
  const visible = async (request: RequestContext) => {
    const shown = await server.shown(request);
    return server.catalogue().skills.filter(({ resource }) => shown.has(resource));
  };
  const hints = (skills: readonly ServedSkill[]) => ({
    ttlMs: skills.length > 0 ? Math.min(...skills.map(({ ttlMs }) => ttlMs)) : 0,
    cacheScope: server.isPerCaller() ? 'private' : 'public',
  });
  const list: ExtensionMethod['handle'] = async ({ cursor }, request) => {
    const skills = await visible(request);
    const { page, nextCursor } = paginate(skills, ({ entry }) => entry.uri, cursor);
    const next = nextCursor !== undefined && { nextCursor };
    return { skills: page.map(({ entry }) => entry), ...next, ...hints(skills) };
  };
  const get: ExtensionMethod['handle'] = async (params, request) => {
    const uri = uriOf(params);
    const found = (await visible(request)).find(({ entry }) => entry.uri === uri);
    if (!found) throw invalid(`No skill is served at ${uri}`);
    return { skill: found.entry, ...hints([found]) };
  };
  const readDirectory: ExtensionMethod['handle'] = async (params, request) => {
    const uri = uriOf(params);
    const shown = await server.shown(request);
    const { directories } = server.catalogue();
    const children = directories.children(uri, (file) => shown.has(file));
    if (!children) throw invalid(`${uri} is not a directory resource`);
    const { page, nextCursor } = paginate(children, (child) => child.uri, params['cursor']);
    // The official client wants these fields here, too. The specification has them for the other two only.
    return { resources: page, ...(nextCursor !== undefined && { nextCursor }), ...hints([]) };
  };
  return [
    { name: 'skills/list', capability: SKILLS_EXTENSION, handle: list },
    { name: 'skills/get', capability: SKILLS_EXTENSION, handle: get },
    { name: 'resources/directory/read', capability: SKILLS_EXTENSION, handle: readDirectory },
  ];
}

function uriOf(params: Readonly<Record<string, unknown>>): string {
  const { uri } = params;
  if (typeof uri === 'string') return uri;
  throw invalid('"uri" must be a string.');
}

function invalid(message: string): ProtocolError {
  return new ProtocolError(JsonRpcCode.invalidParams, message);
}

/** How many entries one answer has at most. */
const PAGE = 50;

/**
 * One page of what a caller may see. A cursor names the last item of the page before, so it stays valid while others come
 * and go.
 *
 * @throws {ProtocolError} -32602 for a cursor that is not from this list
 */
function paginate<Item>(
  items: readonly Item[],
  keyOf: (item: Item) => string,
  cursor: unknown,
): { readonly page: readonly Item[]; readonly nextCursor?: string } {
  const start = cursor === undefined ? 0 : items.findIndex((item) => cursorOf(keyOf(item)) === cursor) + 1;
  if (cursor !== undefined && start === 0)
    throw new ProtocolError(JsonRpcCode.invalidParams, 'Invalid cursor. Start again without one.');
  const page = items.slice(start, start + PAGE);
  const last = page.at(-1);
  const isMore = start + page.length < items.length;
  return { page, ...(isMore && last !== undefined && { nextCursor: cursorOf(keyOf(last)) }) };
}

function cursorOf(key: string): string {
  return Buffer.from(key).toString('base64url');
}
