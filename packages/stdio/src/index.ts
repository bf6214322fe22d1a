export { serveStdio, type ServeStdioOptions, type StdioServed, type StdioService } from './serve-stdio.js';
