module.exports = {
  // It compiles the manifest when a test needs it.
  preset: '@toolwright/testing',
  roots: ['<rootDir>/src'],
  // Imports are written with .js, and the files are .ts.
  moduleNameMapper: { '^(\\.{1,2}/.*)\\.js$': '$1' },
  transform: {
    '\\.[cm]?[jt]s$': [
      '@swc/jest',
      {
        jsc: {
          target: 'es2022',
          parser: { syntax: 'typescript', decorators: true },
          transform: { legacyDecorator: true },
        },
        module: { type: 'commonjs' },
      },
    ],
  },
  // Jest cannot load ES modules from packages, so it compiles this one.
  transformIgnorePatterns: ['/node_modules/(?!(\\.pnpm/)?@electric-sql[/+])'],
};
