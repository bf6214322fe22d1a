/** The environment variable that tells a worker of ours from a worker of another cluster, such as that of PM2. */
export const WORKER_VARIABLE = 'TOOLWRIGHT_WORKER';
