import { imageSizeOf } from '../../fields/image-size.ts'
import { textKey } from '../../fields/key.ts'
import type { Report } from '../report.ts'
import type { Ddl, Migration } from './ddl.ts'

/** Files are found by their names, and tell how large an image is and what people say of it. */
export const files: Migration = {
  version: 11,
  name: 'files',
  async up(ddl, report) {
    await ddl.column('file', 'name_key', 'key', '')
    await ddl.column('file', 'changed', 'integer?')
    for (const size of ['width', 'height']) await ddl.column('file', size, 'integer?')
    for (const text of ['alt', 'title', 'description']) await ddl.column('file', text, 'text?')
    await fillIn(ddl, report)
  },
}

const filesAtOnce = 50

/** Enough of an image to hold its header, behind what a camera writes before it. */
const headerBytes = 131_072

interface Row {
  readonly id: number
  readonly name: string
  /** The beginning of the image. */
  readonly bytes: Uint8Array | null
}

async function fillIn(ddl: Ddl, report: Report): Promise<void> {
  for (let from = 0; ; ) {
    const rows = await ddl.ask<Row>(
      `SELECT file.id, file.name, substr(blob_chunk.bytes, 1, ${headerBytes}) AS bytes FROM file LEFT JOIN blob_chunk
       ON blob_chunk.sha256 = file.sha256 AND blob_chunk.position = 0 AND file.mime LIKE 'image/%'
       WHERE file.id > ${from} ORDER BY file.id LIMIT ${filesAtOnce}`,
    )
    for (const { id, name, bytes } of rows) {
      const size = bytes === null ? undefined : imageSizeOf(bytes)
      const said = size === undefined ? '' : `, width = ${size.width}, height = ${size.height}`
      await ddl.run(`UPDATE file SET name_key = ${literal(textKey(name))}${said} WHERE id = ${id}`)
    }
    const last = rows.at(-1)
    if (last === undefined || rows.length < filesAtOnce) return
    from = last.id
    report('files', from, 0)
  }
}

const literal = (text: string): string => `'${text.replaceAll("'", "''")}'`
