import type { ComponentChildren, JSX } from 'preact'
import { PhotosField } from '../form/photos-field.tsx'
import { NameField, NoteField, type Said } from './details.tsx'
import { DraftOffer } from './draft-offer.tsx'
import { isKeeping } from './save-entry.ts'
import { say } from './say.ts'
import { Step } from './step.tsx'
import { Taken, type TakenProps } from './taken.tsx'
import { isPlan, TimeChips } from './timing.tsx'

interface NoteFlowProps {
  /** Whose drafts are offered. */
  readonly entry: string
  readonly label: string
  readonly title: string
  readonly second?: string | undefined
  readonly question: string
  readonly said: Said
  readonly composedName: string
  readonly onSay: (part: Partial<Said>) => void
  readonly place?: TakenProps['place']
  /** What else is asked: where, about what. */
  readonly children?: ComponentChildren
  readonly isReady: boolean
  readonly onSave: () => void
}

/** A note and photos, with Save at the thumb. */
export function NoteFlow(props: NoteFlowProps): JSX.Element {
  const { entry, label, title, second, question, said, composedName, onSay, place, children, isReady, onSave } = props
  const foot = (
    <>
      <TimeChips />
      <button type="button" class="btn main-do fill" disabled={!isReady || isKeeping.value} onClick={onSave}>
        {isKeeping.value ? say('entry.saving') : say(isPlan() ? 'entry.save-plan' : 'entry.save')}
      </button>
    </>
  )
  return (
    <Step label={label} title={title} second={second} foot={foot}>
      <DraftOffer entry={entry} />
      <div class="words details">
        <PhotosField photos={said.photos} onChange={(photos) => onSay({ photos })} />
        <Taken photos={said.photos} place={place} />
        <NoteField said={said} onSay={onSay} label={question} />
        {children}
        <NameField said={said} composedName={composedName} onSay={onSay} />
      </div>
    </Step>
  )
}
