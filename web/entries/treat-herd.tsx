import type { JSX } from 'preact'
import { groupBundle, perHeadLabel } from '../../src/farm/bundle-names.ts'
import { PickRecord } from '../forms/pick-record.tsx'
import { TextField } from '../forms/text-field.tsx'
import { decimalIn, times } from '../forms/typed-number.ts'
import { Chip } from '../look/chip.tsx'
import { Icon } from '../look/icon.tsx'
import { Link } from '../look/link.tsx'
import { dotted, shortList, summaryOf } from '../look/names.ts'
import { go, route, withQuery } from '../look/router.ts'
import { noteChoice, recentChoices } from '../store/recent-choices.ts'
import { day, daysLater } from '../words/format.ts'
import { say } from '../words/say.ts'
import { amountWords } from './amount.ts'
import { AmountDetails, AmountFlow, EntrySubject, unitsOf, unitsUsed, unitTerms } from './amount-flow.tsx'
import { logOf, treatmentsOf } from './changes.ts'
import { noDetails, photosOf } from './details.tsx'
import { useEntryDraft } from './draft.tsx'
import { chosenAssets } from './entry-subject.ts'
import { logNames } from './entry-words.ts'
import { saveEntry, showSaved } from './save-entry.tsx'
import { SavedCard } from './saved-card.tsx'
import {
  askAboutMembers,
  type HerdShare,
  herdShare,
  isLeavingOut,
  LeaveOut,
  leftWords,
  Step,
  useEntryUp,
} from './step.tsx'
import { timeLine, timing } from './timing.tsx'
import { daysWithheld, NotedFields, notedLines, type TreatmentDetails, WithheldDays } from './treat.tsx'

/** True if a whole herd, or several animals, are chosen and not to be done one after the other. */
export function isForHerd(): boolean {
  const chosen = chosenAssets()
  const isSeveral = chosen.length > 1 || chosen.some(({ bundle }) => bundle === groupBundle)
  return (
    route.value.query.has('saved') || route.value.query.has('herds') || (isSeveral && !route.value.query.has('each'))
  )
}

interface HerdTreatment extends TreatmentDetails {
  /** Whether the typed dose is for each or for all. */
  readonly per: 'each' | 'all'
}

/** One treatment of a whole herd: the log keeps the total, and the dose of each. */
export function TreatHerd(): JSX.Element {
  const label = say('entry.treat')
  const saved = route.value.query.get('saved')
  const chosen = chosenAssets()
  const share = herdShare(chosen)
  const who = shortList(chosen.map(({ name }) => name))
  const begun: HerdTreatment = {
    ...noDetails,
    product: recentChoices('product')[0] ?? '',
    value: '',
    unit: unitsOf('treat', '')[0] ?? '',
    withheld: {},
    noted: {},
    per: 'each',
  }
  const nameOf = ({ name, product }: HerdTreatment) => name || logNames.treat(product, who)
  const { state, change, draft } = useEntryDraft<HerdTreatment>('treat herd', begun, nameOf)
  useEntryUp(label)
  if (saved !== null) return <SavedCard label={label} uuid={saved} words={({ name }) => name} second={summaryOf} />
  if (chosen.length === 0) return <WhichHerd label={label} />
  if (isLeavingOut()) return <LeaveOut label={label} share={share} />
  const { withheld, days } = daysWithheld(state)
  const total = state.per === 'each' ? (times(state.value, share.heads) ?? '') : state.value
  const product = state.product.trim()
  const save = async () => {
    const each = state.per === 'each' && decimalIn(state.value) !== null
    const changes = treatmentsOf({
      ...{ bundle: 'farm_medical', name: nameOf(state), timing: timing(), assets: share.taking, areas: [] },
      amounts: [
        { value: total, unit: state.unit, label: product },
        ...(each ? [{ value: state.value, unit: state.unit, label: perHeadLabel }] : []),
      ],
      units: unitTerms(),
      note: [...notedLines(state), state.note].join('\n'),
      withheld,
      withheldName: logNames.withheld(who),
    })
    const uuid = changes[0]?.uuid ?? ''
    const words = say('entry.treat.saved', { who, product: `${product} ${amountWords({ ...state, value: total })}` })
    const photos = photosOf(uuid, state.photos)
    if ((await saveEntry({ entry: 'treat', changes, words, photos, draft })) === null) return
    noteChoice('product', product)
    noteChoice(unitsUsed('treat', ''), state.unit)
    await askAboutMembers(uuid, chosen)
    showSaved('treat', uuid)
  }
  return (
    <AmountFlow
      entry="treat herd"
      title={label}
      subject={<HerdSubject name={who} share={share} />}
      amount={state}
      units={unitsOf('treat', '')}
      past={[]}
      onAmount={change}
      hint={hintWords(state.per === 'each' && total !== '' ? amountWords({ ...state, value: total }) : '', days)}
      chips={(['each', 'all'] as const).map((per) => (
        <Chip key={per} pressed={state.per === per} onPress={() => change({ per })}>
          {say(`animals.dose.${per}`)}
        </Chip>
      ))}
      line={
        <AmountDetails
          words={timeLine(undefined)}
          details={state}
          composedName={logNames.treat(product, who)}
          onDetails={change}
        >
          <NotedFields state={state} onChange={change} />
          <OneByOne />
        </AmountDetails>
      }
      needs={product === '' || share.taking.length === 0 ? 'more' : 'nothing'}
      onSave={save}
    >
      <div class="treatment">
        <TextField
          label={say('entry.treat.product')}
          value={state.product}
          onText={(typed) => change({ product: typed })}
          offers={recentChoices('product')}
        />
        <WithheldDays state={state} onChange={change} />
      </div>
    </AmountFlow>
  )
}

/** "80 ml in all · withheld to 3 May" */
function hintWords(total: string, days: number): string {
  const all = total === '' ? [] : [say('animals.in-all', { amount: total })]
  const until = days === 0 ? [] : [say('entry.treat.until', { day: day(daysLater(timing().at, days)) })]
  return [...all, ...until].join(' · ')
}

/** "Milkers, 38 head", and the way to leave some out. */
function HerdSubject({ name, share }: { readonly name: string; readonly share: HerdShare }): JSX.Element {
  const { all, taking, heads } = share
  return (
    <EntrySubject
      icon={<Icon name="cow" />}
      name={name}
      second={dotted([
        say('animals.head', { count: heads }),
        taking.length < all.length ? leftWords(share) : undefined,
      ])}
      change={withQuery({ ask: 'without' })}
      label={say('entry.leave-out')}
    />
  )
}

const OneByOne = (): JSX.Element => (
  <Link to={withQuery({ each: '1', without: null, herds: null })} class="btn">
    {say('animals.one-by-one')}
  </Link>
)

function WhichHerd({ label }: { readonly label: string }): JSX.Element {
  return (
    <Step label={label} before={withQuery({ herds: null })} title={say('animals.ask.herd')}>
      <PickRecord
        of={{ type: 'asset', bundles: [groupBundle] }}
        used="herd"
        onPick={({ id }) => go(withQuery({ asset: id, herds: null }))}
      />
    </Step>
  )
}

interface HerdWeight {
  readonly name: string
  readonly note: string
  readonly photos: readonly Blob[]
  readonly value: string
  readonly unit: string
  readonly of: 'total' | 'average'
}

/** The weight of a herd, in all or on average: a log of the herd, never of one of its animals. */
export function WeighHerd(): JSX.Element {
  const label = say('entry.weigh')
  const saved = route.value.query.get('saved')
  const chosen = chosenAssets()
  const share = herdShare(chosen)
  const who = shortList(chosen.map(({ name }) => name))
  const composedName = logNames.weigh(who)
  const units = unitsOf('weigh', '')
  const begun: HerdWeight = { ...noDetails, value: '', unit: units[0] ?? '', of: 'total' }
  const { state, change, draft } = useEntryDraft<HerdWeight>('weigh herd', begun, ({ name }) => name || composedName)
  useEntryUp(label)
  if (saved !== null) return <SavedCard label={label} uuid={saved} words={({ name }) => name} second={summaryOf} />
  if (chosen.length === 0) return <WhichHerd label={label} />
  if (isLeavingOut()) return <LeaveOut label={label} share={share} />
  const save = async () => {
    const newLog = logOf({
      ...{ bundle: 'farm_observation', name: state.name || composedName, timing: timing(), areas: [] },
      assets: chosen,
      amounts: [
        { value: state.value, unit: state.unit, label: say(`animals.weight.${state.of}`, { count: share.heads }) },
      ],
      units: unitTerms(),
      note: state.note,
    })
    const words = say('entry.weigh.saved', { who, amount: amountWords(state) })
    const photos = photosOf(newLog.uuid, state.photos)
    if ((await saveEntry({ entry: 'weigh', changes: [newLog], words, photos, draft })) !== null)
      showSaved('weigh', newLog.uuid)
  }
  return (
    <AmountFlow
      entry="weigh herd"
      title={label}
      subject={<HerdSubject name={who} share={share} />}
      amount={state}
      units={units}
      past={[]}
      onAmount={change}
      chips={(['total', 'average'] as const).map((of) => (
        <Chip key={of} pressed={state.of === of} onPress={() => change({ of })}>
          {say(`animals.weight.${of}`, { count: share.heads })}
        </Chip>
      ))}
      line={
        <AmountDetails words={timeLine(undefined)} details={state} composedName={composedName} onDetails={change}>
          <OneByOne />
        </AmountDetails>
      }
      needs="figure"
      onSave={save}
    />
  )
}
