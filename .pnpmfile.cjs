/**
 * mcp-framework, a contestant of apps/bench, accepts Zod 3 only, as a peer; the other contestants share Zod 4. It gets
 * a Zod of its own, since measuring it on an unsupported version would be unfair.
 */
const readPackage = (manifest) => {
  if (manifest.name !== 'mcp-framework') return manifest;
  delete manifest.peerDependencies.zod;
  manifest.dependencies.zod = '3.25.76';
  return manifest;
};

module.exports = { hooks: { readPackage } };
