const { Script } = require('node:vm');
const { default: Runtime } = require('jest-runtime');

/** What a worker has compiled: the script of each module, by its file. */
const scripts = new Map();

/**
 * Jest compiles every module anew for each test file. Here, the test files of a worker share the compiled script, and the
 * functions that V8 has compiled in it. Each file still runs it in a world of its own, so modules share no state.
 */
class SharedScripts extends Runtime {
  constructor(config, environment, resolver, transformer, cacheFS, coverage, testPath, ...more) {
    super(config, environment, resolver, transformer, cacheFS, coverage, testPath, ...more);
    const { executor } = this;
    const compile = executor.compile.bind(executor);
    const head = `(function (${executor.injectedModuleParameters.join(', ')}) {`;
    executor.compile = (source, filename) => {
      const context = environment.getVmContext();
      if (context === null || filename === testPath) return compile(source, filename);
      const kept = scripts.get(filename);
      if (kept?.source === source && kept.head === head) return kept.script.runInContext(context);
      const script = new Script(`${head}${source}\n})`, { filename, columnOffset: -head.length });
      scripts.set(filename, { source, head, script });
      return script.runInContext(context);
    };
    // Jest copies what was counted, which takes a tenth of a run. The main process gets a copy anyway.
    this.getAllCoverageInfoCopy = () => environment.global.__coverage__;
  }
}

module.exports = { __esModule: true, default: SharedScripts };
