/** What ids with the same few characters may belong to: page 7 is not user 7. */
export type Family = string;

const VERBS: ReadonlySet<string> = new Set(
  'get list read find search fetch load look show open close query create add make new insert write update edit set put patch delete remove drop'.split(
    ' ',
  ),
);
const ENDS: ReadonlySet<string> = new Set(['by', 'for', 'from', 'in', 'of', 'to', 'with']);

/** Members that hold anything. */
const HOLDERS: ReadonlySet<string> = new Set(
  'arguments content data entry item list result row structuredcontent text value'.split(' '),
);

/** What a tool is about, by its name: `get_page` and `createPages` are about a page. */
export function familyOfTool(name: string): Family {
  const words = name
    .replace(/([a-z])([A-Z])/g, '$1 $2')
    .toLowerCase()
    .split(/[^a-z]/)
    .filter((word) => word !== '');
  const end = words.findIndex((word) => ENDS.has(word));
  return singular(
    words
      .slice(0, end < 0 ? words.length : end)
      .filter((word) => !VERBS.has(word))
      .join(''),
  );
}

/** The family of what is inside a member, as long as nothing inside says more. */
export function familyInside(name: string, outer: Family): Family {
  const own = singular(name);
  return own === '' || HOLDERS.has(own) ? outer : own;
}

/** The family of an id: `pageId` says it itself, and `id` is that of what it is in. */
export function familyOfId(name: string, outer: Family): Family {
  return isBareId(name) ? outer : singular(name.replace(/_?id$/i, ''));
}

/** Whether the name of an id does not say what it is the id of. */
export const isBareId = (name: string): boolean => /^_?(?:id|uuid|guid)$/.test(name);

const singular = (name: string): Family =>
  name
    .toLowerCase()
    .replace(/[^a-z]/g, '')
    .replace(/ies$/, 'y')
    .replace(/s$/, '');

/** Whether an id is hardly that of two things: it is long enough, and has a digit. */
export const isUnique = (id: string): boolean => id.length >= 6 && /\d/.test(id);

/** An id, with its family if others may have it, too. */
export const keyOfId = (id: string, family: Family): string => (isUnique(id) ? id : `${family} ${id}`);
