/**
 * mcp-framework, a contestant of apps/bench, accepts Zod 3 only, as a peer; the other contestants share Zod 4. It gets
 * a Zod of its own, since measuring it on an unsupported version would be unfair.
 */
const giveZod3 = (manifest) => {
  delete manifest.peerDependencies.zod;
  manifest.dependencies.zod = '3.25.76';
};

/**
 * apps/providers runs only the part of these packages that converts schemas. What they need to call models would be
 * 400 MB; the tests stand in for the few names of it that are read when a converter is loaded.
 */
const withoutModels = (manifest) => {
  for (const name of Object.keys(manifest.peerDependencies ?? {})) {
    if (unneeded.test(name)) delete manifest.peerDependencies[name];
  }
  for (const name of Object.keys(manifest.dependencies ?? {})) {
    if (unneeded.test(name)) delete manifest.dependencies[name];
  }
};

const unneeded =
  /^(@langchain\/(core|langgraph)|genkit|openai|google-auth-library|protobufjs|jsonpath-plus)$/;

const changes = {
  'mcp-framework': giveZod3,
  '@genkit-ai/google-genai': withoutModels,
  '@google/genai': withoutModels,
  '@langchain/mcp-adapters': withoutModels,
  '@openai/agents-core': withoutModels,
};

const readPackage = (manifest) => {
  changes[manifest.name]?.(manifest);
  return manifest;
};

module.exports = { hooks: { readPackage } };
