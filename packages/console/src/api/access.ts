/**
 * What a method does. A console that is mounted in an application answers only `read`, unless its options allow more;
 * `project` exists only where there is a project to look at, which is in `toolwright dev`.
 */
export type Access = 'read' | 'call' | 'change' | 'project';
