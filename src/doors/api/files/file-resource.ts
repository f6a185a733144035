import type { StoredFile } from '../../../storage/file-rows.ts'
import { spellTime } from '../values/time.ts'
import type { Drawn } from '../wire/thing.ts'

/** A file, as everybody sees it who may know of it. */
export const drawFile = (file: StoredFile): Drawn => ({
  thing: { of: 'file', id: file.id },
  type: 'file--file',
  id: file.uuid,
  attributes: {
    drupal_internal__fid: file.id,
    langcode: 'en',
    filename: file.name,
    uri: { value: `private://${file.id}/${file.name}`, url: `/file/${file.id}/${file.name}` },
    filemime: file.mime,
    filesize: file.size,
    status: file.unused_since === null,
    created: spellTime(file.created),
    changed: spellTime(file.changed ?? file.created),
  },
  relationships: { uid: file.uid === 0 ? null : { of: 'user', id: file.uid } },
})
