/**
 * Reports at the end of a run what this machine could not run for want of a program. The tests in question are named
 * "… not tried … (Debian: apt-get install <package>)", and pass.
 */
export default class NotTried {
  onRunComplete(_contexts, { testResults }) {
    const files = new Map();
    for (const { testFilePath, testResults: tests } of testResults) {
      for (const { fullName } of tests) {
        const name = missingPackage(fullName);
        if (name) files.set(name, (files.get(name) ?? new Set()).add(testFilePath));
      }
    }
    for (const [name, { size }] of files)
      process.stderr.write(
        `Not tried for want of ${name} (Debian: apt-get install ${name}): ${size} test file${size === 1 ? '' : 's'}.\n`,
      );
  }
}

/** The Debian package that a test with this name lacks, if it says so. */
export function missingPackage(name) {
  return /not tried.*apt-get install ([\w -]+)/s.exec(name)?.[1];
}
