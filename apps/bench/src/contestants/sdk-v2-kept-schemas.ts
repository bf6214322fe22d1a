import { runContestant } from './contestant-process.js';
import { startSdkV2 } from './sdk-v2-server.js';
import { countSchema, measureSchema } from './zod-schemas.js';

// "Keep the factory cheap" (the SDK's docs/serving/http.md): schemas made before the first request, one for all tools.
const measure = measureSchema();
const count = countSchema();
void runContestant((settings) => startSdkV2(settings, { measure: () => measure, count: () => count }));
