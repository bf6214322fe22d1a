import { runContestant } from './contestant-process.js';
import { inputSchema, startSdkV2 } from './sdk-v2-server.js';

// As all examples of its documentation have it: schemas are written where the factory registers the tools.
void runContestant((settings) => startSdkV2(settings, inputSchema));
