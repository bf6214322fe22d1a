export { guardStdout } from './guard-stdout.js';
export { serveStdio, type ServeStdioOptions, type StdioServed, type StdioService } from './serve-stdio.js';
