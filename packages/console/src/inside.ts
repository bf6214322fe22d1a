export { ConsoleFault } from './api/console-api.js';
export { Inside, type InsideMethod } from './inside/inside.js';
