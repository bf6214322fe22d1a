// Compiles the manifests of decorated classes when a test needs them, and adds the matchers. How TypeScript becomes
// JavaScript is left to your own `transform`.
module.exports = {
  setupFiles: [require.resolve('./dist/jest/provide-manifests.js')],
  setupFilesAfterEnv: [require.resolve('./dist/matchers/extend-expect.js')],
};
