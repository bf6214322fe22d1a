import { guardStdout } from '@toolwright/stdio';

// With --stdio, standard output belongs to the protocol. This file is imported before all that could print while it is
// loaded; from here on, what this process prints goes to standard error.
if (process.argv.includes('--stdio')) guardStdout();
