import { nameInAddress } from '../../../fields/file-name.ts'
import { whole, yesNo } from '../../../fields/number.ts'
import { part } from '../../../fields/part.ts'
import { text } from '../../../fields/text.ts'
import { spellTime, timestamp } from '../../../fields/time.ts'
import type { StoredFile } from '../../../storage/file-rows.ts'
import type { ApiResource } from '../documents/identifiers.ts'

export const fileAttributes = {
  drupal_internal__fid: whole('File ID'),
  langcode: text('Language'),
  filename: text('Filename'),
  uri: part('URI', { value: text('Value'), url: text('URL') }),
  filemime: text('MIME type'),
  filesize: whole('File size'),
  status: yesNo('Status'),
  created: timestamp('Created'),
  changed: timestamp('Changed'),
}

/** A file, as every user who may see it gets it. */
export const fileResource = (file: StoredFile): ApiResource => ({
  thing: { of: 'file', id: file.id },
  type: 'file--file',
  id: file.uuid,
  attributes: {
    drupal_internal__fid: file.id,
    langcode: 'en',
    filename: file.name,
    uri: { value: `private://${file.id}/${file.name}`, url: `/file/${file.id}/${nameInAddress(file.name)}` },
    filemime: file.mime,
    filesize: file.size,
    status: file.unused_since === null,
    created: spellTime(file.created),
    changed: spellTime(file.changed ?? file.created),
  },
  relationships: { uid: file.uid === 0 ? null : { of: 'user', id: file.uid } },
})
