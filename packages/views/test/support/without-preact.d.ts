// The types of Preact bring those of the DOM with them, for all files of a program. The tests of this repository run in Node.js,
// and a library of the site names Preact in its types. In `tsconfig.test.json` it gets this file.
export type ComponentChildren = unknown;
