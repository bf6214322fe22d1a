import type { ContentBlock } from '../../base/content.js';
import type { Undeclared } from '@toolwright/json';
import { InvalidResultError, isRecord } from './protocol-result.js';

/**
 * The members that an object may have. If a member is an object, or a list of objects, its own table closes
 * it, too.
 */
interface Members {
  readonly [name: string]: true | Members;
}

/** Only `_meta` is open: there, the specification allows members of one's own. */
const block: Members = {
  type: true,
  annotations: { audience: true, priority: true, lastModified: true },
  _meta: true,
};
const bytes: Members = { ...block, data: true, mimeType: true };

/** The members of content blocks (schema of 2026-07-28, ContentBlock). */
const BLOCKS: Readonly<Record<ContentBlock['type'], Members>> = {
  text: { ...block, text: true },
  image: bytes,
  audio: bytes,
  resource_link: {
    ...block,
    uri: true,
    name: true,
    title: true,
    description: true,
    mimeType: true,
    size: true,
    icons: { src: true, mimeType: true, sizes: true, theme: true },
  },
  resource: { ...block, resource: { uri: true, mimeType: true, text: true, blob: true, _meta: true } },
};

/** Leaves out, keeps or refuses the members of content blocks that the specification does not define. */
export type BlockCloser = (blocks: readonly ContentBlock[]) => ContentBlock[];

/**
 * Makes the function that closes content blocks. A row of a database that became a block when `type` was
 * added must not be sent with all its columns. A block that loses nothing stays the same object.
 *
 * @throws {InvalidResultError} (the returned function) when undeclared members are refused
 */
export function blockCloser(undeclared: Undeclared): BlockCloser {
  if (undeclared === 'keep') return (blocks) => blocks as ContentBlock[];
  return (blocks) => {
    let closed: ContentBlock[] | undefined;
    for (const [index, each] of blocks.entries()) {
      // `structured` may have got a block of a kind that this version does not know.
      const members = Object.hasOwn(BLOCKS, each.type) ? BLOCKS[each.type] : undefined;
      const place = undeclared === 'refuse' ? `content[${index}]` : undefined;
      const kept = members ? close(each, members, place) : each;
      if (kept !== each) (closed ??= [...blocks])[index] = kept;
    }
    return closed ?? (blocks as ContentBlock[]);
  };
}

/** @param place present when undeclared members are refused */
function close<T extends object>(value: T, members: Members, place: string | undefined): T {
  let copy: Record<string, unknown> | undefined;
  for (const name of Object.keys(value)) {
    const known = Object.hasOwn(members, name) ? members[name] : undefined;
    if (known === true) continue;
    if (known === undefined) {
      if (place !== undefined)
        throw new InvalidResultError('content', `${place} has "${name}", which no such content has`);
      copy ??= pick(value, members);
    } else {
      const part = (value as Record<string, unknown>)[name];
      const closed = closeDeep(part, known, place && `${place}.${name}`);
      if (closed !== part) (copy ??= pick(value, members))[name] = closed;
    }
  }
  return (copy as T | undefined) ?? value;
}

function closeDeep(value: unknown, members: Members, place: string | undefined): unknown {
  if (isRecord(value)) return close(value, members, place);
  if (!Array.isArray(value)) return value;
  const closed = value.map((each) => closeDeep(each, members, place));
  return closed.some((each, index) => each !== value[index]) ? closed : value;
}

/** Undeclared members are not read, so none of their getters runs. */
function pick(value: object, members: Members): Record<string, unknown> {
  const own = Object.keys(value).filter((name) => Object.hasOwn(members, name));
  return Object.fromEntries(own.map((name) => [name, (value as Record<string, unknown>)[name]]));
}
