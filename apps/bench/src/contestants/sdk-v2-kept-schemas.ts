import { runContestant } from './contestant-process.js';
import { startSdkV2, toolSchemas } from './sdk-v2-server.js';

// "Keep the factory cheap" (the SDK's docs/serving/http.md): schemas made before the first request, one for all tools.
const measure = toolSchemas.measure();
const count = toolSchemas.count();
void runContestant((settings) => startSdkV2(settings, { measure: () => measure, count: () => count }));
