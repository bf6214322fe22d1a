export { AppOptionsError, transports, auths, databases, type AppOptions } from './app-options.js';
export { askForApp, canAsk, type AppWish } from './ask-for-app.js';
export { createApp, type AppRequest, type CreatedApp } from './create-app.js';
export { setUpApp } from './set-up-app.js';
