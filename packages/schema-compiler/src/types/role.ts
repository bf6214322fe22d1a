/** Which way the values of a schema travel. */
export type Role = 'input' | 'output';
