import type { FastifyReply, FastifyRequest } from 'fastify'
import { harmlessTypeOf } from '../../fields/mime.ts'
import type { Snapshot } from '../../storage/database.ts'
import { bytesOf, type StoredFile } from '../../storage/file-rows.ts'
import { attachmentNamed } from './content-disposition.ts'
import { deliver, isNotModified } from './record-answers.ts'

interface Download {
  readonly name: string
  readonly etag: string
  /** Null where the caller has them already. */
  readonly bytes: Buffer | null
}

export async function downloadOf(
  request: FastifyRequest,
  snapshot: Snapshot,
  { name, sha256 }: StoredFile,
): Promise<Download> {
  const etag = `"${sha256}"`
  return { name, etag, bytes: isNotModified(request, etag) ? null : await bytesOf(snapshot, sha256) }
}

export function sendDownload(reply: FastifyReply, { name, etag, bytes }: Download): FastifyReply {
  if (bytes === null) return deliver(reply, { status: 304, headers: { etag }, body: '' })
  return (
    reply
      .header('etag', etag)
      // Browsers must download the file and never run it, whatever type it claims.
      .header('content-type', harmlessTypeOf(bytes) ?? 'application/octet-stream')
      .header('content-disposition', attachmentNamed(name))
      .header('content-security-policy', "default-src 'none'; sandbox")
      .header('cache-control', 'private, no-cache')
      .send(bytes)
  )
}
