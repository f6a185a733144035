import type { JSX } from 'preact'
import type { WithheldProduct } from '../../src/farm/bundle-names.ts'
import { TextField } from '../forms/text-field.tsx'
import { decimalIn, wholeIn } from '../forms/typed-number.ts'
import { choiceLabel } from '../look/names.ts'
import { me } from '../store/local-copy.ts'
import { noteChoice, recentChoices } from '../store/recent-choices.ts'
import { day, daysLater } from '../words/format.ts'
import { say } from '../words/say.ts'
import { amountWords } from './amount.ts'
import { AmountDetails, UnitChips, unitsOf, unitsUsed, unitTerms } from './amount-flow.tsx'
import { treatmentsOf } from './changes.ts'
import { type EntryDetails, noDetails, photosOf } from './details.tsx'
import { useEntryDraft } from './draft.tsx'
import { logNames } from './entry-words.ts'
import { PickAnimal, Race, useCurrentAnimal } from './race.tsx'
import { saveEntry } from './save-entry.tsx'
import { tagOf } from './tags.ts'
import { timeLine, timing } from './timing.tsx'
import { aboutAnimal } from './weigh.tsx'

export interface TreatmentDetails extends EntryDetails {
  readonly product: string
  readonly value: string
  readonly unit: string
  /** Days as they were typed; empty is not recorded. */
  readonly withheld: Readonly<Partial<Record<WithheldProduct, string>>>
  /** Kept in the notes, where the medicine book finds them. */
  readonly noted: Readonly<Partial<Record<(typeof notedFields)[number], string>>>
}

const notedFields = ['batch', 'supplier', 'reason'] as const

/** Product, dose and withholding days are kept for the next animal. */
export function TreatEntry(): JSX.Element {
  const { label, isPicking, animal, onAnimal, among, next } = useCurrentAnimal('treat')
  const nameOf = ({ name, product }: TreatmentDetails) => name || logNames.treat(product, animal?.name ?? '')
  const begun = {
    product: recentChoices('product')[0] ?? '',
    value: '',
    unit: unitsOf('treat', '')[0] ?? '',
    withheld: {},
    noted: {},
  }
  const { state, change, goOn, draft } = useEntryDraft<TreatmentDetails>('treat', { ...noDetails, ...begun }, nameOf)
  const { withheld, days } = daysWithheld(state)
  const composedName = logNames.treat(state.product, animal?.name ?? '')
  const save = async () => {
    if (animal === undefined) return
    const changes = treatmentsOf({
      bundle: 'farm_medical',
      name: nameOf(state),
      timing: timing(),
      assets: [animal],
      areas: [],
      amounts: [{ value: state.value, unit: state.unit, label: state.product.trim() }],
      units: unitTerms(),
      note: [...notedLines(state), state.note].join('\n'),
      withheld,
      withheldName: logNames.withheld(animal.name),
    })
    const photos = photosOf(changes[0]?.uuid ?? '', state.photos)
    const names = { who: tagOf(animal), product: [state.product, amountWords(state)].join(' ').trim() }
    const until = day(daysLater(timing().at, days))
    const words =
      days === 0 ? say('entry.treat.saved', names) : say('entry.treat.saved-until', { ...names, day: until })
    if ((await saveEntry({ entry: 'treat', changes, words, photos, draft })) === null) return
    noteChoice('product', state.product.trim())
    noteChoice(unitsUsed('treat', ''), state.unit)
    goOn(noDetails)
    next()
  }
  if (isPicking) return <PickAnimal label={label} />
  return (
    <Race
      entry="treat"
      title={say('entry.treat')}
      animal={animal}
      onAnimal={onAnimal}
      onSkip={() => goOn(noDetails)}
      among={among}
      figure={{ label: say('entry.treat.dose'), value: state.value, unit: state.unit }}
      onValue={(value) => change({ value })}
      about={<p class="small soft">{animal && aboutAnimal(animal)}</p>}
      hint={days > 0 && say('entry.treat.until', { day: day(daysLater(timing().at, days)) })}
      line={
        <AmountDetails words={timeLine(undefined)} details={state} composedName={composedName} onDetails={change}>
          <NotedFields state={state} onChange={change} />
        </AmountDetails>
      }
      isReady={state.product.trim() !== '' && (state.value === '' || decimalIn(state.value) !== null)}
      onSave={save}
    >
      <div class="treatment">
        <TextField
          label={say('entry.treat.product')}
          value={state.product}
          onText={(product) => change({ product })}
          offers={recentChoices('product')}
        />
        <WithheldDays state={state} onChange={change} />
        <div class="options">
          <UnitChips units={unitsOf('treat', '')} unit={state.unit} onUnit={(unit) => change({ unit })} />
        </div>
      </div>
    </Race>
  )
}

interface NotedFieldsProps {
  readonly state: TreatmentDetails
  readonly onChange: (part: Pick<TreatmentDetails, 'noted'>) => void
}

/** Batch, supplier and reason, which are kept in the notes. */
export function NotedFields({ state: { noted }, onChange }: NotedFieldsProps): JSX.Element {
  return (
    <>
      {notedFields.map((name) => (
        <TextField
          key={name}
          label={say(`entry.treat.${name}`)}
          value={noted[name] ?? ''}
          onText={(text) => onChange({ noted: { ...noted, [name]: text } })}
        />
      ))}
    </>
  )
}

/** "Batch: 4711" */
export const notedLines = ({ noted }: TreatmentDetails): readonly string[] =>
  notedFields.flatMap((name) => {
    const text = noted[name]?.trim()
    return text ? [`${say(`entry.treat.${name}`)}: ${text}`] : []
  })

/** Days by product, and the longest of them. What was left empty is not recorded. */
export function daysWithheld({ withheld: typed }: TreatmentDetails) {
  const known = Object.entries(typed).flatMap(([product, days]) => {
    const whole = wholeIn(days)
    return whole === null ? [] : [[product, Number(whole)] as const]
  })
  return { withheld: Object.fromEntries(known), days: Math.max(0, ...known.map(([, days]) => days)) }
}

/** What animals give. */
const ofAnimals = ['meat', 'milk', 'eggs'] as const

interface WithheldDaysProps {
  readonly state: TreatmentDetails
  readonly onChange: (part: Pick<TreatmentDetails, 'withheld'>) => void
}

export function WithheldDays({ state: { withheld }, onChange }: WithheldDaysProps): JSX.Element {
  return (
    <>
      {ofAnimals.map((product) => (
        <Withheld
          key={product}
          label={`${say('entry.treat.withheld')}: ${choiceLabel('withheld_products', product)}`}
          days={withheld[product] ?? ''}
          onDays={(typed) => onChange({ withheld: { ...withheld, [product]: typed } })}
        />
      ))}
    </>
  )
}

interface WithheldProps {
  readonly label: string
  readonly days: string
  readonly onDays: (days: string) => void
}

function Withheld({ label, days, onDays }: WithheldProps): JSX.Element {
  const factor = Number(me.value?.farm.withholding_factor ?? 1)
  return (
    <label class="labelled">
      <span class="soft small">{label}</span>
      <span class="field">
        <input
          inputmode="numeric"
          maxlength={4}
          autocomplete="off"
          placeholder="–"
          value={days}
          onInput={({ currentTarget }) => onDays(currentTarget.value.replace(/\D/g, ''))}
        />
      </span>
      {factor > 1 && Number(days) > 0 && (
        <button type="button" class="chip" onClick={() => onDays(String(Number(days) * factor))}>
          {`× ${factor} = ${Number(days) * factor}`}
        </button>
      )}
    </label>
  )
}
