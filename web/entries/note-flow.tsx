import type { ComponentChildren, JSX } from 'preact'
import { PhotosField } from '../forms/attachments.tsx'
import { say } from '../words/say.ts'
import { type EntryDetails, NameField, NoteField, PhotoTimeOffer, type PhotoTimeOfferProps } from './details.tsx'
import { DraftOffer } from './draft.tsx'
import { isSaving } from './save-entry.tsx'
import { Step } from './step.tsx'
import { isPlan, TimeChips } from './timing.tsx'

interface NoteFlowProps {
  /** Name of the entry, for its drafts. */
  readonly entry: string
  readonly label: string
  readonly title: string
  readonly second?: string | undefined
  readonly question: string
  readonly details: EntryDetails
  readonly composedName: string
  readonly onDetails: (part: Partial<EntryDetails>) => void
  readonly place?: PhotoTimeOfferProps['place']
  /** Further questions: place, subject. */
  readonly children?: ComponentChildren
  readonly isReady: boolean
  readonly onSave: () => void
}

/** A note and photos, with Save at the thumb. */
export function NoteFlow(props: NoteFlowProps): JSX.Element {
  const { entry, label, title, second, question, details, composedName, onDetails, place, children, isReady, onSave } =
    props
  const foot = (
    <>
      <TimeChips />
      <button type="button" class="btn main-do fill" disabled={!isReady || isSaving.value} onClick={onSave}>
        {isSaving.value ? say('entry.saving') : say(isPlan() ? 'entry.save-plan' : 'entry.save')}
      </button>
    </>
  )
  return (
    <Step label={label} title={title} second={second} foot={foot}>
      <DraftOffer entry={entry} />
      <div class="words details">
        <PhotosField photos={details.photos} onChange={(photos) => onDetails({ photos })} />
        <PhotoTimeOffer photos={details.photos} place={place} />
        <NoteField details={details} onDetails={onDetails} label={question} />
        {children}
        <NameField details={details} composedName={composedName} onDetails={onDetails} />
      </div>
    </Step>
  )
}
