import { RunningApp } from './support/running-app.js';

test('The app exits cleanly when it is told to stop', async () => {
  const app = await RunningApp.start();
  await expect(app.stop()).resolves.toBe(0);
});
