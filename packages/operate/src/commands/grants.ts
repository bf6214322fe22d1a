import { packageCommands } from './package-commands.js';

/** The package of the app knows how grants of users are kept. */
export const addGrants = packageCommands({
  name: 'grants',
  description: 'list and revoke what users have granted an app at other issuers',
  usage: '<list|revoke> [id] [options]',
  package: '@toolwright/identity',
  entry: '@toolwright/identity/commands',
  member: 'grantCommands',
});
