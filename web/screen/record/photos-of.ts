import { type KeptRecord, timeOf } from '../../store/record.ts'

import { day } from '../../words/format.ts'
import type { Photo } from './photos.tsx'
import { say } from './say.ts'

/** Files of the farm itself; whatever else stands there is no picture to fetch. */
export function pathsIn(value: unknown): readonly string[] {
  const values: readonly unknown[] = Array.isArray(value) ? value : [value]
  return values.filter((path) => typeof path === 'string').filter((path) => /^\/(?!\/)(?:.*\/)?file\/\d+\//.test(path))
}

/** Those of a record itself, named after it. */
export function ownPhotos(record: KeptRecord): readonly Photo[] {
  const paths = pathsIn(record.fields.images)
  return paths.map((path, index) => ({
    path,
    words:
      paths.length === 1
        ? record.name
        : say('record.photo-of', { name: record.name, number: index + 1, count: paths.length }),
  }))
}

/** Those of its logs, named after what happened. */
export function photosOfLogs(logs: readonly KeptRecord[]): readonly Photo[] {
  return logs.flatMap((log) =>
    pathsIn(log.fields.images).map((path) => ({ path, words: `${log.name}, ${day(timeOf(log))}` })),
  )
}
