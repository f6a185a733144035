import type { ComponentChildren, JSX } from 'preact'
import { useEffect, useRef, useState } from 'preact/hooks'
import { Chip } from '../look/chip.tsx'
import { Icon } from '../look/icon.tsx'
import { fileName } from '../store/record.ts'
import { isReadable } from '../sync/photos.ts'
import { notice } from '../sync/status.ts'
import { photosFit } from '../sync/storage-quota.ts'
import { bytes } from '../words/format.ts'
import { say } from '../words/say.ts'
import { type ControlProps, filled, listOf } from './control.ts'

interface PhotosFieldProps {
  readonly photos: readonly Blob[]
  readonly onChange: (photos: readonly Blob[]) => void
  readonly accepts?: 'image' | 'any'
}

/** Photos and files of a record; the camera button comes first. */
export function PhotosField(props: PhotosFieldProps): JSX.Element {
  const { photos, onChange, accepts = 'image' } = props
  const latest = useRef(props)
  latest.current = props
  const change = (changed: (photos: readonly Blob[]) => readonly Blob[]) =>
    latest.current.onChange(changed(latest.current.photos))
  /** Adds files at once: the user may save before a photo is decoded. */
  const add = async (from: 'camera' | 'device') => {
    const chosen = await askForFiles({ accepts, from })
    if (chosen.length === 0) return
    change((all) => [...all, ...chosen])
    if (accepts === 'image') await dropUnreadable(chosen, (file) => change((all) => all.filter((one) => one !== file)))
  }
  return (
    <div class="new-photos">
      {photos.length > 0 && (
        <ul>
          {photos.map((photo, index) => (
            <NewPhoto
              key={`${index} ${photo.size}`}
              photo={photo}
              number={index + 1}
              onRemove={() => onChange(photos.filter((other) => other !== photo))}
            />
          ))}
        </ul>
      )}
      <div class="options">
        {accepts === 'image' && (
          <Chip icon="camera" onPress={() => add('camera')}>
            {say('form.take-photo')}
          </Chip>
        )}
        <Chip icon="plus" onPress={() => add('device')}>
          {say(accepts === 'image' ? 'form.choose-photos' : 'form.choose-files')}
        </Chip>
      </div>
    </div>
  )
}

interface NewPhotoProps {
  readonly photo: Blob
  readonly number: number
  readonly onRemove: () => void
}

function NewPhoto({ photo, number, onRemove }: NewPhotoProps): JSX.Element {
  const name = photo instanceof File ? photo.name : say('form.photo', { number })
  return (
    <RemovableFile name={name} onRemove={onRemove}>
      {photo.type.startsWith('image/') ? <Preview photo={photo} name={name} /> : <FileName photo={photo} name={name} />}
    </RemovableFile>
  )
}

interface NamedProps {
  readonly photo: Blob
  readonly name: string
}

function Preview({ photo, name }: NamedProps): JSX.Element {
  const [url, setUrl] = useState<string | undefined>()
  useEffect(() => {
    const made = URL.createObjectURL(photo)
    setUrl(made)
    return () => URL.revokeObjectURL(made)
  }, [photo])
  return <img class="thumb" src={url} alt={name} />
}

function FileName({ photo, name }: NamedProps): JSX.Element {
  return (
    <span>
      <bdi>{name}</bdi> <small class="soft">{bytes(photo.size)}</small>
    </span>
  )
}

/** Stored files are paths, new ones are `File`s. */
export function AttachmentControl({ field, value, onChange }: ControlProps): JSX.Element {
  const all = listOf(value)
  const stored = all.filter((one) => typeof one === 'string')
  const added = all.filter((one) => one instanceof Blob)
  const change = (list: readonly unknown[]) => onChange(filled(list))
  return (
    <div class="rows">
      {stored.length > 0 && (
        <ul class="kept-files">
          {stored.map((path) => (
            <StoredFile
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
        onChange={(photos) => change([...stored, ...photos])}
      />
    </div>
  )
}

interface StoredFileProps {
  readonly path: string
  readonly isImage: boolean
  readonly onRemove: () => void
}

function StoredFile({ path, isImage, onRemove }: StoredFileProps): JSX.Element {
  const name = fileName(path)
  return (
    <RemovableFile name={name} onRemove={onRemove}>
      {isImage ? <img class="thumb" src={path} alt={name} loading="lazy" /> : <bdi>{name}</bdi>}
    </RemovableFile>
  )
}

interface RemovableFileProps {
  readonly name: string
  readonly onRemove: () => void
  /** Thumbnail or icon. */
  readonly children: ComponentChildren
}

function RemovableFile({ name, onRemove, children }: RemovableFileProps): JSX.Element {
  return (
    <li>
      {children}
      <button type="button" class="icon-btn" aria-label={say('form.remove', { name })} onClick={onRemove}>
        <Icon name="close" />
      </button>
    </li>
  )
}

interface FileRequest {
  readonly accepts: 'image' | 'any'
  /** `camera` opens the camera, if there is one. */
  readonly from: 'camera' | 'device'
}

/** Opens the file picker or the camera. Works only inside a tap; returns an empty list if the user cancels. */
export async function askForFiles({ accepts, from }: FileRequest): Promise<readonly File[]> {
  if (!photosFit.value) {
    notice({ kind: 'no-room-for-photos' })
    return []
  }
  const input = document.createElement('input')
  input.type = 'file'
  input.hidden = true
  input.multiple = from === 'device'
  if (accepts === 'image') input.accept = 'image/*'
  if (from === 'camera') input.setAttribute('capture', 'environment')
  document.body.append(input)
  const chosen = new Promise<readonly File[]>((resolve) => {
    input.addEventListener('change', () => resolve([...(input.files ?? [])]))
    input.addEventListener('cancel', () => resolve([]))
  })
  input.click()
  return chosen.finally(() => input.remove())
}

/**
 * Reports photos that this browser cannot decode, and passes each to `drop`. Runs one by one, since photos are large.
 */
export async function dropUnreadable(files: readonly File[], drop: (file: File) => void): Promise<void> {
  for (const file of files) {
    if (await isReadable(file)) continue
    notice({ kind: 'photo-unreadable', name: file.name })
    drop(file)
  }
}
