export { AppOptionsError, transports, auths, databases, type AppOptions } from './app-options.js';
export { createApp, type AppRequest } from './create-app.js';
export { setUpApp } from './set-up-app.js';
