import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

export interface OwnCa {
  /** The certificate of the CA. */
  readonly ca: string;
  /** Of a server at 127.0.0.1. */
  readonly server: { readonly key: string; readonly cert: string };
}

/** A CA, and the certificate of a server that it has signed. */
export function makeOwnCa(name: string): OwnCa {
  const folder = mkdtempSync(join(tmpdir(), 'own-ca-'));
  const file = (each: string) => join(folder, each);
  const openssl = (...args: string[]) => execFileSync('openssl', args, { stdio: 'ignore' });
  const curve = ['-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:P-256', '-nodes'];
  try {
    const ofCa = ['-keyout', file('ca.key'), '-out', file('ca.pem'), '-subj', `/CN=${name}`, '-days', '2'];
    openssl('req', '-x509', ...curve, ...ofCa);
    openssl('req', ...curve, '-keyout', file('key'), '-out', file('csr'), '-subj', '/CN=127.0.0.1');
    writeFileSync(file('ext'), 'subjectAltName=IP:127.0.0.1\n');
    const signer = ['-CA', file('ca.pem'), '-CAkey', file('ca.key'), '-CAcreateserial', '-days', '2'];
    openssl('x509', '-req', '-in', file('csr'), ...signer, '-extfile', file('ext'), '-out', file('pem'));
    const read = (each: string) => readFileSync(file(each), 'utf8');
    return { ca: read('ca.pem'), server: { key: read('key'), cert: read('pem') } };
  } finally {
    rmSync(folder, { recursive: true });
  }
}
