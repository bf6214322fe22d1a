import { runContestant } from './contestant-process.js';
import { startSdkV2 } from './sdk-v2-server.js';
import { keptSchemas } from './zod-schemas.js';

// "Keep the factory cheap" (the SDK's docs/serving/http.md): schemas made before the first request, one for all tools.
void runContestant((settings) => startSdkV2(settings, keptSchemas()));
