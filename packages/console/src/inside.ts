export { ConsoleRefusal } from './api/console-api.js';
export { Inside } from './inside/inside.js';
export type { InsideMethod } from './inside/part.js';
