// Compiles the manifests of decorated classes when a test needs them, and adds the matchers. How TypeScript becomes
// JavaScript is left to your own `transform`.
module.exports = {
  // The first test of a file that needs a manifest waits for the compiler: seconds, where nothing is cached yet.
  testTimeout: 120_000,
  setupFiles: [require.resolve('./dist/jest/provide-manifests.js')],
  setupFilesAfterEnv: [require.resolve('./dist/matchers/extend-expect.js')],
};
