import { runContestant } from './contestant-process.js';
import { inputSchema, startSdkV2 } from './sdk-v2-server.js';

// What somebody may do who has measured: one schema, made before the first request, for all tools.
const schema = inputSchema();
void runContestant((settings) => startSdkV2(settings, () => schema));
