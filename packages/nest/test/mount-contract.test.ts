import { type ArgumentsHost, Catch, type ExceptionFilter } from '@nestjs/common';
import { describeMount, NotSignedIn } from '../../http/test/support/mount-contract.js';
import { closeApps, platforms, serveEndpoint } from './support/apps.js';

afterEach(closeApps);

for (const platform of platforms)
  describeMount(`Nest on ${platform.name}`, async ({ server, prefix, options, trustsProxy, caught }) => {
    @Catch(NotSignedIn)
    class Answering implements ExceptionFilter {
      catch(error: NotSignedIn, host: ArgumentsHost) {
        caught.push(error);
        host.switchToHttp().getResponse().status(418).send({ mine: error.message });
      }
    }
    const { url } = await serveEndpoint({ ...platform, trustsProxy }, { server, options }, (app) => {
      if (prefix) app.setGlobalPrefix(prefix);
      app.useGlobalFilters(new Answering());
    });
    return url;
  });
