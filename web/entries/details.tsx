import type { ComponentChildren, JSX } from 'preact'
import { useState } from 'preact/hooks'
import { PhotosField } from '../forms/attachments.tsx'
import type { GeoPoint } from '../forms/nearby.ts'
import { OriginOffer } from '../forms/origin-offer.tsx'
import { TextField } from '../forms/text-field.tsx'
import { replace, withQuery } from '../look/router.ts'
import { ModalSheet } from '../look/sheet.tsx'
import { say } from '../words/say.ts'
import { isPlan, TimeChips, timing } from './timing.tsx'

/** What may be said with any entry. */
export interface EntryDetails {
  /** Empty as long as nobody has changed it: then it is composed. */
  readonly name: string
  readonly note: string
  readonly photos: readonly Blob[]
}

export const noDetails: EntryDetails = { name: '', note: '', photos: [] }

interface DetailsProps {
  readonly said: EntryDetails
  /** What the log is called unless somebody says otherwise. */
  readonly composedName: string
  readonly onSay: (part: Partial<EntryDetails>) => void
  /** Of this entry alone. */
  readonly children?: ComponentChildren
}

interface DetailsLineProps extends DetailsProps {
  readonly words: ComponentChildren
}

/** When, whom for, what it is called, a note and photos: one tap away, so that they are in nobody's way. */
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

function Details({ said, composedName, onSay, children }: DetailsProps): JSX.Element {
  return (
    <div class="details">
      <TimeChips />
      {children}
      <NameField said={said} composedName={composedName} onSay={onSay} />
      <NoteField said={said} onSay={onSay} />
      <PhotosField photos={said.photos} onChange={(photos) => onSay({ photos })} />
      <PhotoTimeOffer photos={said.photos} />
    </div>
  )
}

export function NameField({ said, composedName, onSay }: Omit<DetailsProps, 'children'>): JSX.Element {
  return (
    <TextField
      label={say('entry.name')}
      value={said.name === '' ? composedName : said.name}
      onText={(name) => onSay({ name: name === composedName ? '' : name })}
    />
  )
}

type NoteFieldProps = Pick<DetailsProps, 'said' | 'onSay'> & { readonly label?: string }

export function NoteField({ said, onSay, label = say('entry.note') }: NoteFieldProps): JSX.Element {
  return (
    <label class="labelled">
      <span class="soft small">{label}</span>
      <span class="field">
        <textarea rows={3} value={said.note} onInput={({ currentTarget }) => onSay({ note: currentTarget.value })} />
      </span>
    </label>
  )
}

export interface PhotoTimeOfferProps {
  readonly photos: readonly Blob[]
  /** Left out where an entry has no place of its own. */
  readonly place?:
    | { readonly isSaid: (point: GeoPoint) => boolean; readonly onUse: (point: GeoPoint) => void }
    | undefined
}

/** When and where a photo was taken, for an entry; a plan has no photos of it yet. */
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
