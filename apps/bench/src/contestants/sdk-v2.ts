import { runContestant } from './contestant-process.js';
import { startSdkV2 } from './sdk-v2-server.js';
import { toolSchemas } from './zod-schemas.js';

// As the SDK's examples make the schemas of tools: in the factory, where the tool is registered.
void runContestant((settings) => startSdkV2(settings, toolSchemas));
