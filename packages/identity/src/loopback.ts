import { LOOPBACK_HOSTS } from '@toolwright/json';

/** True if only programs of this machine answer at this URL. */
export const isLoopback = ({ hostname }: URL): boolean => LOOPBACK_HOSTS.has(hostname);
