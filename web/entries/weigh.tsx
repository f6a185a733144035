import type { JSX } from 'preact'
import { decimalIn } from '../forms/typed-number.ts'
import { dotted } from '../look/names.ts'
import { useLogs } from '../look/use-logs.ts'
import { assets } from '../store/local-copy.ts'
import { idsIn, type LocalRecord, partsIn, tagsOf, timeOf } from '../store/record.ts'
import { groupsOf } from '../store/stays.ts'
import { day, daysBetween, figure, now } from '../words/format.ts'
import { say } from '../words/say.ts'
import { amountWords, unitOf } from './amount.ts'
import { unitsOf, unitTerms } from './amount-flow.tsx'
import { logOf } from './changes.ts'
import { DetailsLine, type EntryDetails, noDetails, photosOf } from './details.tsx'
import { useEntryDraft } from './draft.tsx'
import { logNames } from './entry-words.ts'
import { whereIs } from './herds.ts'
import { PickAnimal, Race, useCurrentAnimal } from './race.tsx'
import { saveEntry } from './save-entry.tsx'
import { tagOf } from './tags.ts'
import { timeLine, timing } from './timing.tsx'

interface WeightDetails extends EntryDetails {
  readonly value: string
}

const nothingWeighed: WeightDetails = { ...noDetails, value: '' }

/** Tag, weight, "Save, next": stays open for the next animal. */
export function WeighEntry(): JSX.Element {
  const { label, isPicking, animal, onAnimal, among, next } = useCurrentAnimal('weigh')
  const { state, change, goOn, draft } = useEntryDraft<WeightDetails>(
    'weigh',
    nothingWeighed,
    ({ name }) => name || composedName,
  )
  const unit = unitsOf('weigh', '')[0] ?? ''
  const last = useLastWeight(animal, unit)
  const composedName = logNames.weigh(animal?.name ?? '')
  const save = async () => {
    if (animal === undefined) return
    const newLog = logOf({
      bundle: 'farm_observation',
      name: state.name || composedName,
      timing: timing(),
      assets: [animal],
      areas: [],
      amounts: [{ value: state.value, unit }],
      units: unitTerms(),
      note: state.note,
    })
    const words = say('entry.weigh.saved', { who: tagOf(animal), amount: amountWords({ value: state.value, unit }) })
    const photos = photosOf(newLog.uuid, state.photos)
    if ((await saveEntry({ entry: 'weigh', changes: [newLog], words, photos, draft })) === null) return
    goOn(nothingWeighed)
    next()
  }
  if (isPicking) return <PickAnimal label={label} />
  return (
    <Race
      entry="weigh"
      title={say('entry.weigh')}
      animal={animal}
      onAnimal={onAnimal}
      onSkip={() => goOn(nothingWeighed)}
      among={among}
      figure={{ label: say('entry.weigh.weight'), value: state.value, unit }}
      onValue={(value) => change({ value })}
      about={
        <>
          <p class="small soft">{animal && aboutAnimal(animal)}</p>
          <p>{lastWords(last)}</p>
        </>
      }
      hint={gainWords(last, state.value)}
      line={<DetailsLine words={timeLine(undefined)} details={state} composedName={composedName} onDetails={change} />}
      isReady={decimalIn(state.value) !== null}
      onSave={save}
    />
  )
}

/** "Milkers · North 3" */
export function aboutAnimal(animal: LocalRecord): string {
  const groups = groupsOf(animal.id).map(({ place }) => assets.value.get(place ?? '')?.name)
  const others = [animal.name, ...tagsOf(animal)].filter((name) => name !== tagOf(animal))
  return dotted([...others, ...groups, whereIs(animal, now())?.area.name])
}

interface LastWeight {
  readonly at: number
  readonly value: string
  readonly unit: string
}

function useLastWeight(animal: LocalRecord | undefined, unit: string): LastWeight | null {
  const logs = useLogs({ asset: animal?.id ?? '', done: true, limit: 100 }) ?? []
  if (animal === undefined) return null
  for (const log of logs) {
    if (idsIn(log.fields.asset).length !== 1) continue
    const part = partsIn(log.fields.quantity).find((one) => one.measure === 'weight' && unitOf(one) === unit)
    if (typeof part?.value === 'string') return { at: timeOf(log), value: part.value, unit }
  }
  return null
}

function lastWords(last: LastWeight | null): string {
  if (last === null) return say('entry.weigh.never')
  return say('entry.weigh.last', { amount: amountWords(last), day: day(last.at) })
}

/** "+7 kg in 14 days" */
function gainWords(last: LastWeight | null, typed: string): string {
  const value = decimalIn(typed)
  if (last === null || value === null) return ''
  const gain = Number(value) - Number(last.value)
  const change = `${gain < 0 ? '−' : '+'}${figure(Math.abs(gain), 1)} ${last.unit}`
  return say('entry.weigh.gain', { change, count: daysBetween(last.at, now()) })
}
