import type { ComponentChildren, JSX } from 'preact'
import { useState } from 'preact/hooks'
import { askForFiles, dropUnreadable, PhotosField } from '../forms/attachments.tsx'
import type { GeoPoint } from '../forms/nearby.ts'
import { OriginOffer } from '../forms/origin-offer.tsx'
import { TextField } from '../forms/text-field.tsx'
import { replace, withQuery } from '../look/router.ts'
import { ModalSheet } from '../look/sheet.tsx'
import type { NewPhoto } from '../sync/save.ts'
import { say } from '../words/say.ts'
import { isPlan, TimeChips, timing } from './timing.tsx'

/** Optional fields of every entry. */
export interface EntryDetails {
  /** Empty until the user changes it; then the composed name is used. */
  readonly name: string
  readonly note: string
  readonly photos: readonly Blob[]
}

export const noDetails: EntryDetails = { name: '', note: '', photos: [] }

interface DetailsProps {
  readonly details: EntryDetails
  /** Name of the log unless the user changes it. */
  readonly composedName: string
  readonly onDetails: (part: Partial<EntryDetails>) => void
  /** Fields of this entry only. */
  readonly children?: ComponentChildren
}

interface DetailsLineProps extends DetailsProps {
  readonly words: ComponentChildren
}

/** Time, owner, name, note and photos, folded behind one tap. */
export function DetailsLine({ words, ...props }: DetailsLineProps): JSX.Element {
  const [isOpen, setOpen] = useState(false)
  return (
    <>
      <span>{words}</span>
      <button type="button" class="btn plain small" onClick={() => setOpen(true)}>
        {say('entry.details')}
      </button>
      {isOpen && (
        <ModalSheet title={say('entry.details')} onClose={() => setOpen(false)}>
          <Details {...props} />
          <form method="dialog">
            <button type="submit" class="btn main-do fill">
              {say('entry.finish')}
            </button>
          </form>
        </ModalSheet>
      )}
    </>
  )
}

function Details({ details, composedName, onDetails, children }: DetailsProps): JSX.Element {
  return (
    <div class="details">
      <TimeChips />
      {children}
      <NameField details={details} composedName={composedName} onDetails={onDetails} />
      <NoteField details={details} onDetails={onDetails} />
      <PhotosField photos={details.photos} onChange={(photos) => onDetails({ photos })} />
      <PhotoTimeOffer photos={details.photos} />
    </div>
  )
}

export function NameField({ details, composedName, onDetails }: Omit<DetailsProps, 'children'>): JSX.Element {
  return (
    <TextField
      label={say('entry.name')}
      value={details.name === '' ? composedName : details.name}
      onText={(name) => onDetails({ name: name === composedName ? '' : name })}
    />
  )
}

type NoteFieldProps = Pick<DetailsProps, 'details' | 'onDetails'> & { readonly label?: string }

export function NoteField({ details, onDetails, label = say('entry.note') }: NoteFieldProps): JSX.Element {
  return (
    <label class="labelled">
      <span class="soft small">{label}</span>
      <span class="field">
        <textarea
          rows={3}
          value={details.note}
          onInput={({ currentTarget }) => onDetails({ note: currentTarget.value })}
        />
      </span>
    </label>
  )
}

export interface PhotoTimeOfferProps {
  readonly photos: readonly Blob[]
  /** Absent if the entry has no place. */
  readonly place?:
    | { readonly isSaid: (point: GeoPoint) => boolean; readonly onUse: (point: GeoPoint) => void }
    | undefined
}

/** Offers time and place of a photo. A plan has no photos. */
export function PhotoTimeOffer({ photos, place }: PhotoTimeOfferProps): JSX.Element | null {
  if (isPlan()) return null
  return (
    <OriginOffer
      photos={photos}
      at={timing().at}
      isPlaceSaid={(point) => place?.isSaid(point) ?? true}
      onUse={({ at, point }) => {
        if (point !== null) place?.onUse(point)
        if (at !== null) replace(withQuery({ when: String(at) }))
      }}
    />
  )
}

type ChangeDetails = (part: (before: EntryDetails) => Partial<EntryDetails>) => void

/** Adds photos at once, before they are decoded: the user may save meanwhile. */
export function addPhotos(change: ChangeDetails, files: readonly File[]): void {
  if (files.length === 0) return
  change(({ photos }) => ({ photos: [...photos, ...files] }))
  void dropUnreadable(files, (file) => change(({ photos }) => ({ photos: photos.filter((one) => one !== file) })))
}

export const photosOf = (record: string, photos: readonly Blob[]): readonly NewPhoto[] =>
  photos.map((file) => ({ record, field: 'images', file }))

type Shots = Promise<readonly File[]>

let underWay: Shots | null = null

/** Opens the camera inside the tap that leads to the entry. Touch devices only: a desktop would open a file dialog. */
export function openCamera(): void {
  const isPhone = matchMedia('(pointer: coarse)').matches
  underWay = isPhone ? askForFiles({ accepts: 'image', from: 'camera' }) : null
}

/** Photos of the camera that `openCamera` opened, for the entry that takes them first. */
export function shotsOnTheWay(): Shots {
  const shots = underWay ?? Promise.resolve([])
  underWay = null
  return shots
}
