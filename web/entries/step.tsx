import type { ComponentChildren, ComponentProps, JSX } from 'preact'
import { newUuid } from '../../src/client/changes.ts'
import { areaBundle } from '../../src/farm/bundle-names.ts'
import { type ChoiceScope, PickRecord } from '../forms/pick-record.tsx'
import { lastShown } from '../look/desk.ts'
import { Pane, Title, useUp } from '../look/page.tsx'
import { go, wasLedHere, withQuery } from '../look/router.ts'
import { offerUndo, toastOnFailure } from '../look/undo.tsx'
import { assetBy, termBy } from '../store/local-copy.ts'
import type { LocalRecord } from '../store/record.ts'
import { save } from '../sync/save.ts'
import { say } from '../words/say.ts'
import { DraftOffer } from './draft.tsx'
import { Refusal } from './save-entry.tsx'

interface StepProps {
  /** Label in the strip, beside Close. */
  readonly label: string
  /** Address of the previous step, for Back. */
  readonly before?: string | undefined
  readonly title: string
  readonly second?: ComponentChildren
  readonly children: ComponentChildren
  readonly foot?: ComponentChildren
}

/** One question of an entry: choices on the page, optional details at the foot. */
export function Step({ label, before, title, second, children, foot }: StepProps): JSX.Element {
  useEntryUp(label, before)
  return (
    <>
      <Pane class="book" name="entry">
        <div class="head">
          <Title text={title} />
          {second && <p>{second}</p>}
        </div>
        {children}
      </Pane>
      <Refusal />
      {foot && <div class="foot">{foot}</div>}
    </>
  )
}

export function useEntryUp(label: string, before?: string): void {
  useUp(before === undefined ? { to: lastShown.value, label, icon: 'close' } : { to: before, label, icon: 'back' })
}

interface WhichOrNewProps {
  readonly entry: 'input' | 'seed' | 'transplant'
  readonly title: string
  readonly of: ChoiceScope
  /** Key of the recent choices. */
  readonly used: string
  /** Query parameter: `?crop=12`. */
  readonly parameter: string
  readonly children?: ComponentChildren
}

/** First step of an entry: chooses a term or names a new one. */
export function WhichOrNew({ entry, title, of, used, parameter, children }: WhichOrNewProps): JSX.Element {
  return (
    <Step label={say(`entry.${entry}`)} title={title}>
      {children}
      <DraftOffer entry={entry} />
      <PickRecord
        of={of}
        used={used}
        onPick={({ id }) => go(withQuery({ [parameter]: id }))}
        onNew={(name) => go(withQuery({ new: name }))}
      />
    </Step>
  )
}

interface PlacePickerProps extends Omit<ComponentProps<typeof PickRecord>, 'of' | 'onNew'> {
  /** Area type of a place that is made here. */
  readonly newType: string
}

/** Chooses an area, or makes one by its name. */
export function PickPlace({ newType, ...picker }: PlacePickerProps): JSX.Element {
  const make = (name: string) => makeInPlace({ type: 'term', bundle: areaBundle, fields: { name, area_type: newType } })
  return (
    <PickRecord
      {...picker}
      of={{ type: 'term', bundles: [areaBundle] }}
      onNew={async (name) => {
        const made = await make(name)
        if (made !== undefined) picker.onPick(made)
      }}
    />
  )
}

/** Makes the record that an entry lacks; undefined if the device cannot store it, which is reported. */
export async function makeInPlace(
  record: Pick<LocalRecord, 'type' | 'bundle' | 'fields'>,
): Promise<LocalRecord | undefined> {
  const uuid = newUuid()
  const saved = await toastOnFailure(save([{ verb: 'make', uuid, ...record }]))
  if (saved === null) return undefined
  offerUndo([saved], say('entry.made', { name: String(record.fields.name) }))
  return record.type === 'asset' ? assetBy(uuid) : termBy(uuid)
}

export function leaveEntry(): void {
  go(lastShown.peek())
}

export function leaveSheet(): void {
  if (wasLedHere()) history.back()
  else leaveEntry()
}
