import type { JSX } from 'preact'
import { useEffect, useRef, useState } from 'preact/hooks'
import { Chip } from '../look/chip.tsx'
import { bytes } from '../words/format.ts'
import { askForFiles, dropUnreadable } from './ask-for-files.ts'
import { RemovableFile } from './removable-file.tsx'
import { say } from './say.ts'

interface PhotosFieldProps {
  readonly photos: readonly Blob[]
  readonly onChange: (photos: readonly Blob[]) => void
  /** Photos alone, or any files. */
  readonly accepts?: 'image' | 'any'
}

/** Photos and files that go with a record: the camera first. */
export function PhotosField(props: PhotosFieldProps): JSX.Element {
  const { photos, onChange, accepts = 'image' } = props
  const latest = useRef(props)
  latest.current = props
  const change = (changed: (photos: readonly Blob[]) => readonly Blob[]) =>
    latest.current.onChange(changed(latest.current.photos))
  /** At once, since Save may come before a photo is looked at. */
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
