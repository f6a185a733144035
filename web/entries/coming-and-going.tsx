import type { JSX } from 'preact'
import { TextField } from '../forms/text-field.tsx'
import { wholeIn } from '../forms/typed-number.ts'
import { Chip } from '../look/chip.tsx'
import { shortList } from '../look/names.ts'
import { route } from '../look/router.ts'
import { toastOnFailure } from '../look/undo.tsx'
import { noteChoice, recentChoices } from '../store/recent-choices.ts'
import type { LocalRecord } from '../store/record.ts'
import { countedHeads } from '../store/stays.ts'
import { save as saveChanges } from '../sync/save.ts'
import { say } from '../words/say.ts'
import { type AnimalLeaving, arrivalOf, categoryFor, departureOf, type HeadShare } from './animal-changes.ts'
import {
  AnimalsStep,
  AskRow,
  AskStep,
  askedFor,
  chosenHerd,
  DayField,
  NumberField,
  noStock,
  placeWords,
  SaveButton,
  StockFields,
  type StockState,
  stockIn,
} from './animal-fields.tsx'
import { type EntryDetails, NoteField, noDetails } from './details.tsx'
import { useEntryDraft } from './draft.tsx'
import { chosenAreas, chosenAssets } from './entry-subject.ts'
import { maxAssetsPerLog } from './herds.ts'
import { saveEntry, showSaved } from './save-entry.tsx'
import { SavedCard } from './saved-card.tsx'
import { herdShare, isLeavingOut, LeaveOut, LeaveOutRow, Step } from './step.tsx'
import { timing } from './timing.tsx'

interface LeavingState extends EntryDetails {
  /** How many of those counted by head, by id; empty means all. */
  readonly counts: Readonly<Record<string, string>>
  readonly partner: string
  readonly invoice: string
  readonly lot: string
}

/** Sold, died, slaughtered, moved off: who, how many, when; a sale also to whom. */
export function LeavingEntry({ what }: { readonly what: AnimalLeaving }): JSX.Element {
  const label = say(`entry.${what}`)
  const saved = route.value.query.get('saved')
  const begun = { ...noDetails, counts: {}, partner: '', invoice: '', lot: '' }
  const { state, change, draft } = useEntryDraft<LeavingState>(`animals/${what}`, begun, () => label)
  if (saved !== null) return <SavedCard label={label} uuid={saved} words={({ name }) => name} />
  const chosen = chosenAssets()
  if (chosen.length === 0 || route.value.query.get('ask') === 'animals')
    return <AnimalsStep label={label} title={say(`animals.who.${what}`)} herds="too" />
  const share = herdShare(chosen)
  if (isLeavingOut()) return <LeaveOut label={label} share={share} />
  const who = share.taking.map((asset) => ({ asset, heads: headsGone(asset, state) }))
  const heads = who.reduce((sum, one) => sum + one.heads, 0)
  const isRight = who.every(({ asset, heads: gone }) => gone > 0 && gone <= (countedHeads(asset) ?? 1))
  const composed = say(`animals.name.${what}`, { who: whoWords(chosen, who), number: heads })
  const save = async () => {
    const [name, when] = [composed.slice(0, 255), timing()]
    if (!(await hasCategory(what))) return
    const changes = departureOf({ what, who, name, timing: when, note: state.note, more: saleFields(what, state) })
    if ((await saveEntry({ entry: what, changes, words: composed, draft })) !== null)
      showSaved(`animals/${what}`, changes[0]?.uuid ?? '')
  }
  return (
    <Step
      label={label}
      title={composed}
      foot={
        <SaveButton isReady={isRight && who.length > 0 && who.length <= maxAssetsPerLog} onSave={save}>
          {say('animals.save', { what: label, number: heads })}
        </SaveButton>
      }
    >
      <LeaveOutRow share={share} />
      <div class="words details">
        {who.length > maxAssetsPerLog && <p class="fault">{say('animals.too-many', { most: maxAssetsPerLog })}</p>}
        {share.taking.flatMap((asset) => {
          const counted = countedHeads(asset)
          if (counted === undefined) return []
          const put = (typed: string) => change({ counts: { ...state.counts, [asset.id]: typed } })
          return [
            <NumberField
              key={asset.uuid}
              label={say('animals.how-many', { flock: asset.name, number: counted })}
              value={state.counts[asset.id] ?? ''}
              onText={put}
            />,
          ]
        })}
        <DayField />
        {what === 'sold' && <PartnerFields state={state} onChange={change} partner="customer" />}
        <NoteField details={state} onDetails={change} />
      </div>
    </Step>
  )
}

/** Makes the log category of the event, if it is the first; false if this device could not keep it. */
async function hasCategory(event: Parameters<typeof categoryFor>[0]): Promise<boolean> {
  const changes = categoryFor(event)
  return changes.length === 0 || (await toastOnFailure(saveChanges(changes))) !== null
}

const headsGone = (asset: LocalRecord, { counts }: LeavingState): number => {
  const counted = countedHeads(asset)
  if (counted === undefined) return 1
  return Number(wholeIn(counts[asset.id] ?? '') ?? counted)
}

/** A whole herd is called by its name. */
const whoWords = (chosen: readonly LocalRecord[], who: readonly HeadShare[]): string =>
  shortList((chosen.length < who.length ? chosen : who.map(({ asset }) => asset)).map(({ name }) => name))

interface PartnerState {
  readonly partner: string
  readonly invoice: string
  readonly lot: string
}

interface PartnerFieldsProps {
  readonly state: PartnerState
  readonly onChange: (part: Partial<PartnerState>) => void
  readonly partner: 'customer' | 'seller'
}

/** To whom, or by whom, with the papers. */
function PartnerFields({ state, onChange, partner }: PartnerFieldsProps): JSX.Element {
  return (
    <>
      <TextField
        label={say(`animals.${partner}`)}
        value={state.partner}
        onText={(typed) => onChange({ partner: typed })}
        offers={recentChoices(partner)}
      />
      <TextField label={say('animals.invoice')} value={state.invoice} onText={(invoice) => onChange({ invoice })} />
      <TextField label={say('animals.lot')} value={state.lot} onText={(lot) => onChange({ lot })} />
    </>
  )
}

function papersIn(partner: 'customer' | 'seller', state: PartnerState): Readonly<Record<string, string>> {
  const fields = { [partner]: state.partner, invoice_number: state.invoice, lot_number: state.lot }
  return Object.fromEntries(Object.entries(fields).filter(([, typed]) => typed.trim() !== ''))
}

const saleFields = (what: AnimalLeaving, state: LeavingState) => (what === 'sold' ? papersIn('customer', state) : {})

interface ArrivalState extends EntryDetails, StockState, PartnerState {
  readonly what: 'bought' | 'arrived'
}

/** Animals that come from elsewhere: tags or heads, species, herd and place; a purchase also from whom. */
export function ArrivedEntry(): JSX.Element {
  const label = say('entry.arrived')
  const saved = route.value.query.get('saved')
  const begun: ArrivalState = {
    ...noDetails,
    ...noStock,
    what: 'bought',
    partner: '',
    invoice: '',
    lot: '',
  }
  const { state, change, draft } = useEntryDraft<ArrivalState>('animals/arrived', begun, () => label)
  if (saved !== null) return <SavedCard label={label} uuid={saved} words={({ name }) => name} />
  const ask = askedFor()
  if (ask !== null) return <AskStep label={label} ask={ask} />
  const [herd, to] = [chosenHerd(), chosenAreas()]
  const answer = stockIn(state, herd?.name ?? '')
  const { stock } = answer
  const back = answer.archived
  const mayComeBack = stockIn({ ...state, archived: 'back' }, '').archived.length > 0
  const heads = answer.fresh.length + answer.heads + back.length
  const save = async () => {
    const who = stock?.species.name ?? shortList(back.map(({ name }) => name))
    const flock = herd?.name ?? who
    const name = say('animals.name.arrived', { who, number: heads }).slice(0, 255)
    const { what } = state
    if (!(await hasCategory(what))) return
    const changes = arrivalOf({
      ...{ what, name, timing: timing(), note: state.note, herd, to },
      stock: stock === null ? null : { ...stock, flock },
      back,
      more: what === 'bought' ? papersIn('seller', state) : {},
    })
    if ((await saveEntry({ entry: 'arrived', changes, words: name, draft })) === null) return
    if (what === 'bought' && state.partner.trim() !== '') noteChoice('seller', state.partner.trim())
    showSaved('animals/arrived', changes.at(-1)?.uuid ?? '')
  }
  return (
    <Step
      label={label}
      title={say('animals.who.arrived')}
      foot={
        <SaveButton isReady={answer.isReady && heads > 0} onSave={save}>
          {heads === 0 ? say('entry.save') : say('animals.save', { what: label, number: heads })}
        </SaveButton>
      }
    >
      <StockFields ways={['tags', 'heads']} state={state} answer={answer} onChange={change} />
      {answer.known.length > 0 && <p class="words soft small">{say('animals.known-stay')}</p>}
      {mayComeBack && (
        <div class="words options">
          {(['back', 'anew'] as const).map((archived) => (
            <Chip key={archived} pressed={(state.archived ?? 'back') === archived} onPress={() => change({ archived })}>
              {say(`animals.${archived}`)}
            </Chip>
          ))}
        </div>
      )}
      <ul>
        <AskRow ask="herd" label={say('animals.herd')} value={herd?.name} />
        <AskRow ask="place" label={say('animals.where')} value={placeWords()} />
      </ul>
      <div class="words details">
        <div class="options">
          {(['bought', 'arrived'] as const).map((what) => (
            <Chip key={what} pressed={state.what === what} onPress={() => change({ what })}>
              {say(what === 'bought' ? 'animals.bought' : 'animals.not-bought')}
            </Chip>
          ))}
        </div>
        <DayField />
        {state.what === 'bought' && <PartnerFields state={state} onChange={change} partner="seller" />}
        <NoteField details={state} onDetails={change} />
      </div>
    </Step>
  )
}
