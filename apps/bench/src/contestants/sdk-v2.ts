import { runContestant } from './contestant-process.js';
import { startSdkV2, toolSchemas } from './sdk-v2-server.js';

// As the SDK's examples write the schemas of tools: in the factory, where the tool is registered.
void runContestant((settings) => startSdkV2(settings, toolSchemas));
