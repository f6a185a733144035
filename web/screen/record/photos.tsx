import type { JSX } from 'preact'
import { useState } from 'preact/hooks'
import { ModalSheet } from '../../look/sheet.tsx'
import { fileName } from '../../store/record.ts'
import { say } from './say.ts'

export interface Photo {
  /** `/file/5/calf.jpg` */
  readonly path: string
  /** What it shows, as far as is known: "Calved, heifer 188, 11 May". */
  readonly words: string
}

/** In squares, which keep their room while the pictures come; a tap shows one whole. */
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

/** Photos are not in the copy: without signal there is a word in place of each. */
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
