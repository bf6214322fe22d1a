/** Somebody or something to remember. */
export interface Entity {
  /** what it is called; no two entities have the same name */
  name: string;
  /** what kind of thing it is, such as "person" */
  entityType: string;
  /** what is known about it, one fact each */
  observations: string[];
}

/** How two entities belong together. */
export interface Relation {
  /** name of the entity that does something */
  from: string;
  /** name of the entity to which it is done */
  to: string;
  /** what it does, as a verb in the active voice, such as "works at" */
  relationType: string;
}

export interface Graph {
  entities: Entity[];
  relations: Relation[];
}

/** Adds those items that are not there yet, each once, and returns them. */
export function addMissing<T>(there: T[], items: readonly T[], keyOf: (item: T) => string): T[] {
  const keys = new Set(there.map(keyOf));
  const missing = items.filter((item) => !keys.has(keyOf(item)) && keys.add(keyOf(item)));
  there.push(...missing);
  return missing;
}

export const relationKey = ({ from, to, relationType }: Relation): string =>
  JSON.stringify([from, to, relationType]);

/** The entities that fit, and every relation of one of them. */
export function around({ entities, relations }: Graph, fits: (entity: Entity) => boolean): Graph {
  const found = entities.filter(fits);
  const names = new Set(found.map(({ name }) => name));
  return { entities: found, relations: relations.filter(({ from, to }) => names.has(from) || names.has(to)) };
}
