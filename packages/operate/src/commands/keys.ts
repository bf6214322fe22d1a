import { packageCommands } from './package-commands.js';

/** The package of the app knows how its keys are kept. */
export const addKeys = packageCommands({
  name: 'keys',
  description: 'create, list, rotate and revoke the API keys of an app',
  usage: '<create|list|rotate|revoke> [id] [options]',
  package: '@toolwright/identity',
  entry: '@toolwright/identity/commands',
  member: 'keyCommands',
});
