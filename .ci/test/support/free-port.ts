export { freePort } from '../../../apps/fleet/src/processes/free-port.js';
