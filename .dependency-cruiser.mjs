/** No file imports itself by a detour, not even for a type: what is above and what is below stays clear. */
export default {
  forbidden: [{ name: 'no-circular', severity: 'error', from: {}, to: { circular: true } }],
  options: {
    tsPreCompilationDeps: true,
    tsConfig: { fileName: 'tsconfig.test.json' },
    includeOnly: '^(packages|apps)/[^/]+/(web/)?(src|test)/',
    exclude: { path: '/(node_modules|dist|fixtures)/' },
  },
};
