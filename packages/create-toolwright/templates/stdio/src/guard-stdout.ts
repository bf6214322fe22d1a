import { guardStdout } from '@toolwright/stdio';

// Standard output belongs to the protocol. This file is imported before all that could print while it is loaded; from
// here on, what this process prints goes to standard error.
guardStdout();
