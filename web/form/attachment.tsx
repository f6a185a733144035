import type { JSX } from 'preact'
import { fileName } from '../store/record.ts'
import { type ControlProps, filled, listOf } from './control.ts'
import { PhotosField } from './photos-field.tsx'
import { RemovableFile } from './removable-file.tsx'

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
  const name = fileName(path)
  return (
    <RemovableFile name={name} onRemove={onRemove}>
      {isImage ? <img class="thumb" src={path} alt={name} loading="lazy" /> : <bdi>{name}</bdi>}
    </RemovableFile>
  )
}
