/** Tests of what Windows does not have. Their names, or comments above them, say what it is. */
export const onPosix = process.platform === 'win32' ? test.skip : test;

/** Tests of what only Linux has. */
export const onLinux = process.platform === 'linux' ? test : test.skip;
