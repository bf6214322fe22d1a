import { runContestant } from './contestant-process.js';
import { startSdkV2 } from './sdk-v2-server.js';
import { toolSchemas } from './zod-schemas.js';

function once<T>(make: () => T): () => T {
  const made = make();
  return () => made;
}

// "Keep the factory cheap" (the SDK's docs/serving/http.md): schemas made before the first request, one for all tools.
const kept = {
  measure: once(toolSchemas.measure),
  count: once(toolSchemas.count),
  search: once(toolSchemas.search),
  rows: once(toolSchemas.rows),
  page: once(toolSchemas.page),
};
void runContestant((settings) => startSdkV2(settings, kept));
