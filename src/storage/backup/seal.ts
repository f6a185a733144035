import { createHash } from 'node:crypto'
import { gzipSync } from 'node:zlib'

/**
 * The last bytes of an archive: the SHA-256 of all bytes before them, so that not a single bit can change hidden. They are
 * a gzip member of their own behind the end of the tar, which every unpacking program passes over.
 */
export function sealOf(hex: string): Buffer {
  const seal = gzipSync(`furrow sha256 ${hex}\n`, { level: 0 })
  // Extra flags and operating system, which would differ between the machine that seals and the one that verifies.
  seal.writeUInt16BE(0x00ff, 8)
  return seal
}

export const sealBytes = sealOf('0'.repeat(64)).length

/** Hands bytes on and their seal after them. */
export async function* sealed(bytes: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
  const hash = createHash('sha256')
  for await (const chunk of bytes) {
    hash.update(chunk)
    yield chunk
  }
  yield sealOf(hash.digest('hex'))
}
