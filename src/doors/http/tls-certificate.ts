import { readFileSync, statSync } from 'node:fs'
import { createSecureContext } from 'node:tls'
import type { ServerSettings } from '../../config.ts'
import { Refusal } from '../../refusal.ts'
import { messageOf } from '../../storage/sql/errors.ts'

/** Where certificate and key are, or null where the server speaks no TLS itself. */
type TlsFiles = NonNullable<ServerSettings['tls']>

interface Certificate {
  readonly cert: Buffer
  readonly key: Buffer
}

/** Certificate and key, if they belong together. */
export function readCertificate({ cert, key }: TlsFiles): Certificate {
  const certificate = { cert: readPem(cert), key: readPem(key) }
  try {
    createSecureContext(certificate)
  } catch (error) {
    throw new Refusal('invalid-content', `${cert} and ${key} are no certificate with its key: ${messageOf(error)}.`)
  }
  return certificate
}

function readPem(path: string): Buffer {
  try {
    return readFileSync(path)
  } catch (error) {
    throw new Refusal('not-found', `${path} cannot be read: ${messageOf(error)}.`)
  }
}

/** What a certificate is renewed in; an HTTPS server of Node is one. */
interface Renewable {
  setSecureContext(certificate: Certificate): void
}

export interface CertificateWatch {
  readonly files: TlsFiles
  readonly everyMs: number
  /** Hears what became of a file that has changed. */
  readonly tell: (what: 'renewed' | Refusal) => void
}

/** Looks now and again whether the files have changed, and serves what is in them; a bad pair leaves the last good one. Answers how to stop. */
export function watchCertificate(server: Renewable, { files, everyMs, tell }: CertificateWatch): () => void {
  let known = stateOf(files)
  const timer = setInterval(() => {
    const state = stateOf(files)
    if (state === known) return
    known = state
    try {
      server.setSecureContext(readCertificate(files))
      tell('renewed')
    } catch (error) {
      if (!(error instanceof Refusal)) throw error
      tell(error)
    }
  }, everyMs).unref()
  return () => clearInterval(timer)
}

/** Followed through links, as renewing programs lay them. */
const stateOf = ({ cert, key }: TlsFiles): string =>
  [cert, key]
    .map((path) => statSync(path, { throwIfNoEntry: false }))
    .map((found) => `${found?.mtimeMs} ${found?.size} ${found?.ino}`)
    .join()
