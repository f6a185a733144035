import type { ComponentChildren, ComponentProps, JSX } from 'preact'
import { newUuid } from '../../src/client/changes.ts'
import { areaBundle } from '../../src/farm/bundle-names.ts'
import { PhotosField } from '../forms/attachments.tsx'
import { type ChoiceScope, PickRecord, PickRow } from '../forms/pick-record.tsx'
import { lastShown } from '../look/desk.ts'
import { Icon, type IconName } from '../look/icon.tsx'
import { Pane, Title, useUp } from '../look/page.tsx'
import { go, replace, route, wasLedHere, withQuery } from '../look/router.ts'
import { offerUndo, toastOnFailure } from '../look/undo.tsx'
import { assetBy, termBy } from '../store/local-copy.ts'
import { isGroup, type LocalRecord } from '../store/record.ts'
import { headOf } from '../store/stays.ts'
import { save } from '../sync/save.ts'
import { say } from '../words/say.ts'
import { type EntryDetails, NameField, NoteField, PhotoTimeOffer, type PhotoTimeOfferProps } from './details.tsx'
import { DraftOffer } from './draft.tsx'
import { idsOf } from './entry-subject.ts'
import { headsIn, movingAssets } from './herds.ts'
import { compareLater } from './pending-comparisons.ts'
import { isSaving, Refusal } from './save-entry.tsx'
import { isPlan, TimeChips, timing } from './timing.tsx'

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
      <Pane class="book alone" name="entry">
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

interface StepRowProps {
  readonly icon: IconName
  /** The question, as in the address: `?ask=place`. */
  readonly ask: string
  readonly title: string
  readonly second: string
}

/** A row that opens a page for one more question of the entry. */
export function StepRow({ icon, ask, title, second }: StepRowProps): JSX.Element {
  return (
    <li>
      <button type="button" class="row" onClick={() => go(withQuery({ ask }))}>
        <span class="m">
          <Icon name={icon} />
        </span>
        <span class="t">
          <b>{title}</b>
          <small>{second}</small>
        </span>
        <span class="e">
          <Icon name="next" size="small" />
        </span>
      </button>
    </li>
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

/** Who an entry for a herd is about. */
export interface HerdShare {
  /** All members of the chosen herds, and what was chosen beside them. */
  readonly all: readonly LocalRecord[]
  /** Without those that `?without=5,7` leaves out. */
  readonly taking: readonly LocalRecord[]
  readonly heads: number
}

export function herdShare(chosen: readonly LocalRecord[]): HerdShare {
  const out = (route.value.query.get('without') ?? '').split(',')
  const all = movingAssets(chosen, timing().at).filter((asset) => !isGroup(asset))
  const taking = all.filter(({ id }) => !out.includes(id))
  return { all, taking, heads: headsIn(taking) }
}

export const isLeavingOut = (): boolean => route.value.query.get('ask') === 'without'

/** "Leave some out", for an entry about several. */
export function LeaveOutRow({ share: { all, taking, heads } }: { readonly share: HerdShare }): JSX.Element | null {
  if (all.length < 2) return null
  return (
    <ul>
      <StepRow
        icon="cow"
        ask="without"
        title={say('entry.leave-out')}
        second={taking.length === all.length ? say('entry.all-take-part', { count: heads }) : leftWords({ all, heads })}
      />
    </ul>
  )
}

/** "2 left out" */
export const leftWords = ({ all, heads }: Pick<HerdShare, 'all' | 'heads'>): string =>
  say('entry.left-out', { count: headsIn(all) - heads })

/** Ticks all; a tap leaves one out. */
export function LeaveOut({ label, share }: { readonly label: string; readonly share: HerdShare }): JSX.Element {
  const { all, taking } = share
  const out = all.filter((one) => !taking.includes(one))
  const tap = (record: LocalRecord) => {
    const next = out.includes(record) ? out.filter((one) => one !== record) : [...out, record]
    replace(withQuery({ without: idsOf(next) }))
  }
  return (
    <Step
      label={label}
      before={withQuery({ ask: null })}
      title={say('entry.leave-out')}
      second={leftWords(share)}
      foot={
        <button type="button" class="btn main-do fill" onClick={() => replace(withQuery({ ask: null }))}>
          {say('entry.go-on')}
        </button>
      }
    >
      <ul>
        {all.map((record) => (
          <PickRow
            key={record.uuid}
            record={record}
            look={{ chosen: taking.map(({ id }) => id), ...(headOf(record) > 1 ? { title: headWords } : {}) }}
            onPick={tap}
          />
        ))}
      </ul>
    </Step>
  )
}

const headWords = (asset: LocalRecord): string => `${asset.name}, ${headOf(asset)}`

/** Asks after sending about animals that had joined the chosen herds before, by logs that this device did not have. */
export async function askAboutMembers(log: string, chosen: readonly LocalRecord[]): Promise<void> {
  const groups = chosen.filter(isGroup).map(({ id }) => id)
  const { all } = herdShare(chosen)
  const known = [...groups, ...all.map(({ id }) => id)]
  if (groups.length > 0 && timing().kind === 'done') await compareLater({ logs: [log], groups, known })
}

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
