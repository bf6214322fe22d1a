/** The direction in which the values of a schema are sent. */
export type Role = 'input' | 'output';
