// The commands that this package adds to `toolwright`. The command line finds them where the package is installed.
import { viewsTestCommand } from './hosts/views-test-command.js';
import { newViewCommand } from './scaffold/new-view-command.js';

export const commands = [newViewCommand, viewsTestCommand];

export { sealDocument, type SealOptions } from './safety/seal-document.js';
