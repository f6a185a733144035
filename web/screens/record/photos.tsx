import type { JSX } from 'preact'
import { useState } from 'preact/hooks'
import { ModalSheet } from '../../look/sheet.tsx'
import { fileName, type LocalRecord, timeOf } from '../../store/record.ts'
import { day } from '../../words/format.ts'
import { say } from '../../words/say.ts'

interface Photo {
  /** `/file/5/calf.jpg` */
  readonly path: string
  /** Description, if known: "Calved, heifer 188, 11 May". */
  readonly words: string
}

/** Square thumbnails with a fixed size; a tap shows the whole photo. */
export function Photos({ photos }: { readonly photos: readonly Photo[] }): JSX.Element | null {
  const [open, setOpen] = useState<Photo | null>(null)
  if (photos.length === 0) return null
  return (
    <section class="block">
      <h2 class="sub">{say('record.photos', { count: photos.length })}</h2>
      <ul class="photos">
        {photos.map((photo) => (
          <li key={photo.path}>
            <button type="button" onClick={() => setOpen(photo)}>
              <Picture photo={photo} />
            </button>
          </li>
        ))}
      </ul>
      {open && (
        <ModalSheet title={open.words} onClose={() => setOpen(null)}>
          <div class="photo-whole">
            <Picture photo={open} />
            <a class="btn" href={open.path} download={fileName(open.path)}>
              {say('record.save-photo')}
            </a>
          </div>
        </ModalSheet>
      )}
    </section>
  )
}

/** Photos are not in the copy: without signal a text replaces each. */
function Picture({ photo: { path, words } }: { readonly photo: Photo }): JSX.Element {
  const [missing, setMissing] = useState(false)
  if (missing)
    return (
      <span class="photo-missing">
        {say('record.photo-missing')}
        <span class="out">{words}</span>
      </span>
    )
  return <img src={path} alt={words} loading="lazy" decoding="async" onError={() => setMissing(true)} />
}

/** Paths of the farm's own files; other addresses are not fetched. */
export function pathsIn(value: unknown): readonly string[] {
  const values: readonly unknown[] = Array.isArray(value) ? value : [value]
  return values.filter((path) => typeof path === 'string').filter((path) => /^\/(?!\/)(?:.*\/)?file\/\d+\//.test(path))
}

/** Photos of the record itself. */
export function ownPhotos(record: LocalRecord): readonly Photo[] {
  const paths = pathsIn(record.fields.images)
  return paths.map((path, index) => ({
    path,
    words:
      paths.length === 1
        ? record.name
        : say('record.photo-of', { name: record.name, number: index + 1, count: paths.length }),
  }))
}

/** Photos of its logs, named after the log. */
export function photosOfLogs(logs: readonly LocalRecord[]): readonly Photo[] {
  return logs.flatMap((log) =>
    pathsIn(log.fields.images).map((path) => ({ path, words: `${log.name}, ${day(timeOf(log))}` })),
  )
}
