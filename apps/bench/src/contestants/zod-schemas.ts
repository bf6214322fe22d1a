import { z } from 'zod';

/** The arguments of `measure`, made anew by each call: a tool of its own has a schema of its own. */
export const measureShape = () => ({
  text: z.string().min(1).describe('what to measure'),
  size: z.number().int().min(0).max(1_000_000).describe('characters of padding'),
});

/** The arguments of `count`, made anew likewise. */
export const countShape = () => ({ steps: z.number().int().min(1) });

export const measureSchema = () => z.object(measureShape());
export const countSchema = () => z.object(countShape());

const searchSchema = () => z.object({ count: z.number().int().min(1).max(1000) });

/** The result of `search`. */
const rowsSchema = () =>
  z.object({
    total: z.number().int(),
    results: z.array(
      z.object({
        id: z.string(),
        title: z.string(),
        url: z.string(),
        stars: z.number().int(),
        score: z.number(),
        archived: z.boolean(),
        tags: z.array(z.string()),
        owner: z.object({ name: z.string(), email: z.string().optional() }),
        updated: z.string(),
      }),
    ),
  });

/** The argument of `save`. */
const pageSchema = () =>
  z.object({
    title: z.string().min(2),
    body: z.string(),
    stars: z.number().int().min(1).max(9),
    author: z.string(),
    tags: z.array(z.object({ label: z.string().min(1).max(20), weight: z.number().int().min(0) })).max(10),
  });

/** The answer to the question of `book`. */
const guestsSchema = () => z.object({ count: z.number().int().min(1) });

/** Makes the schemas of all tools; each call of a member makes another one. */
export const toolSchemas = {
  measure: measureSchema,
  count: countSchema,
  search: searchSchema,
  rows: rowsSchema,
  page: pageSchema,
  guests: guestsSchema,
};

/** The same schema for each tool of a kind, made now. */
export function keptSchemas(): ToolSchemas {
  const once = <T>(make: () => T): (() => T) => {
    const made = make();
    return () => made;
  };
  return {
    measure: once(measureSchema),
    count: once(countSchema),
    search: once(searchSchema),
    rows: once(rowsSchema),
    page: once(pageSchema),
    guests: once(guestsSchema),
  };
}

export type ToolSchemas = typeof toolSchemas;
