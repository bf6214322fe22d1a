import { access } from './access.js';
import { around } from './around.js';
import { asking } from './asking.js';
import { context } from './context.js';
import { input } from './input.js';
import { limits } from './limits.js';
import { names } from './names.js';
import { output } from './output.js';
import { secrets } from './secrets.js';
import type { Judge } from '../world.js';

/** The rows of the table: everything that judges or watches a call. */
export const judges: readonly Judge[] = [
  ...access,
  ...limits,
  ...input,
  ...asking,
  ...output,
  ...secrets,
  ...names,
  ...context,
  ...around,
];
