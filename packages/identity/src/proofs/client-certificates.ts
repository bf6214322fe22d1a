import { X509Certificate, hash } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import { type OptionSchema, optionRules, parseOptions } from '@toolwright/core/options';
import { headerOf, isRepeated } from '../adapters/authenticated.js';
import { proxyAddresses } from '../adapters/proxy-addresses.js';

export interface ClientCertificatesOptions {
  /** The header in which the proxy passes on the certificate of the client. */
  readonly header: string;
  /** The addresses of the proxy, such as `['10.0.0.0/8', '127.0.0.1']`. The header of anybody else is worth nothing. */
  readonly from: readonly string[];
  /** Refuses tokens that are bound to no certificate. Default false: they are accepted beside bound ones. */
  readonly required?: boolean;
}

const { filledText, flag, listOf, required } = optionRules;

const certificateOptions = {
  header: required(filledText),
  from: required(listOf('a list of addresses and networks', filledText)),
  required: { ...flag, default: false },
} satisfies OptionSchema<ClientCertificatesOptions>;

/** A request with a valid token that is bound to a certificate. */
interface Sender {
  readonly request: IncomingMessage | Request;
  readonly thumbprint: string;
}

/** Why a sender is refused, in the words of `@toolwright/http`. */
interface CertificateRefusal {
  readonly reason: 'proof';
  readonly message: string;
}

/** A check for the option `proofs` of `oauthResourceServer`. */
export interface ClientCertificates {
  readonly confirms: 'x5t#S256';
  readonly scheme: 'Bearer';
  readonly required: boolean;
  readonly metadata: Readonly<Record<string, unknown>>;
  check(sender: Sender): CertificateRefusal | undefined;
}

/** No certificate is nearly as long, so a longer text is not read. */
const LONGEST_TEXT = 32_768;

/**
 * Checks tokens that are bound to the certificate of a client (mTLS, RFC 8705). The proxy that ends TLS asks for the
 * certificate, checks that the client has its key, and passes it on in a header, which it removes from what clients send.
 *
 * @throws {ConfigurationError} for options that are unknown, missing or of the wrong type
 * @throws {TypeError} for a text that is neither an address nor a network
 * @example
 * oauthResourceServer({ resource, issuers, proofs: [clientCertificates({ header: 'x-client-cert', from: ['10.0.0.5'] })] });
 */
export function clientCertificates(given: ClientCertificatesOptions): ClientCertificates {
  const options = parseOptions('clientCertificates', certificateOptions, given);
  const name = options.header.toLowerCase();
  const isFromProxy = proxyAddresses(options.from, 'clientCertificates.from');
  return {
    confirms: 'x5t#S256',
    scheme: 'Bearer',
    required: options.required,
    metadata: { tls_client_certificate_bound_access_tokens: true },
    check({ request, thumbprint }) {
      // A web-standard request does not say who has sent it.
      if (!('socket' in request) || !isFromProxy(request))
        return refusal('The access token is bound to a certificate. Call through the proxy.');
      const text = headerOf(request, name);
      if (!text || text.length > LONGEST_TEXT || isRepeated(request, name))
        return refusal('The request came without a client certificate.');
      return thumbprintOf(text) === thumbprint
        ? undefined
        : refusal('The access token is bound to another client certificate.');
    },
  };
}

const refusal = (message: string): CertificateRefusal => ({ reason: 'proof', message });

/** Proxies write the certificate as PEM that is URL-encoded (nginx, AWS), as base64 (HAProxy), or as in RFC 9440. */
function thumbprintOf(text: string): string | undefined {
  const encoded = /^:([A-Za-z0-9+/=]+):$/.exec(text)?.[1] ?? text;
  try {
    const plain = encoded.includes('%') ? decodeURIComponent(encoded) : encoded;
    const certificate = new X509Certificate(
      plain.includes('-----BEGIN') ? plain : Buffer.from(plain, 'base64'),
    );
    return hash('sha256', certificate.raw, 'base64url');
  } catch {
    return undefined;
  }
}
