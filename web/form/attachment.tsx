import type { JSX } from 'preact'
import { Icon } from '../look/icon.tsx'
import { type ControlProps, filled, listOf } from './control.ts'
import { PhotosField } from './photos-field.tsx'
import { say } from './say.ts'

/** What the record has stands as a path, what is new as it was taken. */
export function AttachmentControl({ field, value, onChange }: ControlProps): JSX.Element {
  const all = listOf(value)
  const kept = all.filter((one) => typeof one === 'string')
  const added = all.filter((one) => one instanceof Blob)
  const change = (list: readonly unknown[]) => onChange(filled(list))
  return (
    <div class="rows">
      {kept.length > 0 && (
        <ul class="kept-files">
          {kept.map((path) => (
            <KeptFile
              key={path}
              path={path}
              isImage={field.accepts === 'image'}
              onRemove={() => change(all.filter((one) => one !== path))}
            />
          ))}
        </ul>
      )}
      <PhotosField
        photos={added}
        accepts={field.accepts ?? 'any'}
        onChange={(photos) => change([...kept, ...photos])}
      />
    </div>
  )
}

interface KeptFileProps {
  readonly path: string
  readonly isImage: boolean
  readonly onRemove: () => void
}

function KeptFile({ path, isImage, onRemove }: KeptFileProps): JSX.Element {
  const name = decodeURIComponent(path.split('/').at(-1) ?? path)
  return (
    <li>
      {isImage ? <img class="thumb" src={path} alt={name} loading="lazy" /> : <bdi>{name}</bdi>}
      <button type="button" class="icon-btn" aria-label={say('form.remove', { name })} onClick={onRemove}>
        <Icon name="close" />
      </button>
    </li>
  )
}
