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
