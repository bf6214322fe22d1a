/** The formats that servers check, and `byte`, which says how a text is written. Others are notes for people. */
export const formats = new Set([
  'date-time',
  'date',
  'time',
  'email',
  'uri',
  'uuid',
  'ipv4',
  'ipv6',
  'hostname',
  'byte',
]);
