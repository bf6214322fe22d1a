import { All, Controller, Inject, Req, Res, UseGuards, VERSION_NEUTRAL, type Type } from '@nestjs/common';
import type { McpRouteOptions } from '../options.js';
import { EndpointHost } from './endpoint-host.js';
import type { PlatformRequest, PlatformResponse } from './exchanges.js';

/**
 * Makes the controller of an endpoint. Each module has its own, because the path and the guards of a controller
 * are part of its class.
 */
export function endpointController(path: string, guards: NonNullable<McpRouteOptions['guards']>): Type {
  @Controller({ path, version: VERSION_NEUTRAL })
  @UseGuards(...guards)
  class McpEndpointController {
    constructor(@Inject(EndpointHost) private readonly host: EndpointHost) {}

    @All()
    handle(@Req() request: PlatformRequest, @Res() response: PlatformResponse): Promise<void> {
      return this.host.endpoint!.serve({ request, response });
    }
  }
  return McpEndpointController;
}
