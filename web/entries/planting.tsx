import type { JSX } from 'preact'
import { Chip } from '../look/chip.tsx'
import { Icon } from '../look/icon.tsx'
import { placesIn, shortList, subjectsOf } from '../look/names.ts'
import { go, replace, route, withQuery } from '../look/router.ts'
import { useLogs } from '../look/use-logs.ts'
import { assetBy, termBy } from '../store/local-copy.ts'
import { noteChoice } from '../store/recent-choices.ts'
import { idsIn, type LocalRecord } from '../store/record.ts'
import { say } from '../words/say.ts'
import { pastAmounts } from './amount.ts'
import { AmountDetails, AmountFlow, EntrySubject, unitsOf, unitsUsed, unitTerms } from './amount-flow.tsx'
import { type NewPlanting, plantingsOf } from './changes.ts'
import { type EntryDetails, noDetails, photosOf } from './details.tsx'
import { useEntryDraft } from './draft.tsx'
import { chosenAreas, chosenAssets, chosenTerm } from './entry-subject.ts'
import { logNames } from './entry-words.ts'
import { saveEntry, showSaved } from './save-entry.tsx'
import { PlainSaved } from './saved-card.tsx'
import { PickPlace, Step, useEntryUp, WhichOrNew } from './step.tsx'
import { timeLine, timing } from './timing.tsx'

type PlantingEntry = 'seed' | 'transplant'

export function SeedEntry(): JSX.Element {
  return <Plant entry="seed" />
}

export function TransplantEntry(): JSX.Element {
  return <Plant entry="transplant" />
}

interface PlantProps {
  readonly entry: PlantingEntry
}

/** A crop and a place create a planting and its log; an existing planting is only moved. */
function Plant({ entry }: PlantProps): JSX.Element {
  const saved = route.value.query.get('saved')
  if (saved !== null) return <PlainSaved entry={entry} uuid={saved} words={(log) => plantedWords(entry, log)} />
  const [areas, what] = [chosenAreas(), whatIsPlanted()]
  if (what === null) return entry === 'seed' ? <WhichCrop /> : <WhichPlanting />
  if (areas.length === 0) return <PlantWhere entry={entry} />
  return <PlantPage entry={entry} what={what} areas={areas} />
}

function plantedWords(entry: PlantingEntry, log: LocalRecord): string {
  const place = placesIn(log)
  const crop = shortList(subjectsOf(log)).replace(say('entry.name.in', { words: '', place }), '')
  return crop === '' ? log.name : say(`entry.${entry}.saved`, { crop, place })
}

type PlantingSubject = LocalRecord | Pick<NewPlanting, 'crop'>

/** From the address: `?asset=5`, or a crop. */
function whatIsPlanted(): PlantingSubject | null {
  const [planting] = chosenAssets()
  if (planting?.bundle === 'planting') return planting
  const crop = chosenTerm('crop', 'farm_crops')
  return crop === undefined ? null : { crop }
}

function WhichCrop(): JSX.Element {
  return (
    <WhichOrNew
      entry="seed"
      title={say('entry.seed.crop')}
      of={{ type: 'term', bundles: ['farm_crops'] }}
      used="crop"
      parameter="crop"
    >
      <SowOrPlantOut entry="seed" />
    </WhichOrNew>
  )
}

function WhichPlanting(): JSX.Element {
  return (
    <WhichOrNew
      entry="transplant"
      title={say('entry.transplant.crop')}
      of={{ type: 'asset', bundles: ['planting'] }}
      used="planted"
      parameter="asset"
    >
      <SowOrPlantOut entry="transplant" />
    </WhichOrNew>
  )
}

function SowOrPlantOut({ entry }: PlantProps): JSX.Element {
  const lead = (to: PlantingEntry) => replace(`/add/${to}${location.search}`)
  return (
    <div class="words options">
      <Chip pressed={entry === 'seed'} onPress={() => lead('seed')}>
        {say('entry.seed.sow')}
      </Chip>
      <Chip pressed={entry === 'transplant'} onPress={() => lead('transplant')}>
        {say('entry.transplant')}
      </Chip>
    </div>
  )
}

function PlantWhere({ entry }: PlantProps): JSX.Element {
  return (
    <Step
      label={say(`entry.${entry}`)}
      before={withQuery({ crop: null, new: null, asset: null })}
      title={say('entry.seed.where')}
    >
      <PickPlace newType="bed" used="bed" onPick={({ id }) => go(withQuery({ area: id }))} />
    </Step>
  )
}

/** Names of the plantings of a log, and of their crops. */
const cropsIn = (log: LocalRecord): readonly string[] =>
  idsIn(log.fields.asset).flatMap((id) => {
    const planting = assetBy(id)
    const crops = idsIn(planting?.fields.crop).flatMap((crop) => termBy(crop)?.name ?? [])
    return planting === undefined ? [] : [planting.name, ...crops]
  })

interface PlantPageProps extends PlantProps {
  readonly what: PlantingSubject
  readonly areas: readonly LocalRecord[]
}

interface PlantingDetails extends EntryDetails {
  readonly value: string
  readonly unit: string
}

function PlantPage({ entry, what, areas }: PlantPageProps): JSX.Element {
  useEntryUp(say(`entry.${entry}`))
  const crop = 'crop' in what ? what.crop.name : what.name
  const bundle = entry === 'seed' ? 'farm_seeding' : 'farm_transplanting'
  const place = shortList(areas.map(({ name }) => name))
  const sowings = useLogs({ bundles: [bundle], done: true, limit: 500 }) ?? []
  const past = pastAmounts(sowings.filter((log) => cropsIn(log).includes(crop)))
  const units = unitsOf('seed', crop, past)
  const composedName = logNames[entry](crop, place)
  const { state, change, draft } = useEntryDraft<PlantingDetails>(
    entry,
    { ...noDetails, value: '', unit: '' },
    ({ name }) => name || composedName,
  )
  const amount = { value: state.value, unit: state.unit || (units[0] ?? '') }
  const save = async () => {
    const changes = plantingsOf({
      bundle,
      name: state.name || composedName,
      timing: timing(),
      planting: 'crop' in what ? { ...what, name: say('entry.name.in', { words: crop, place }) } : what,
      to: areas,
      amounts: [amount],
      units: unitTerms(),
      note: state.note,
    })
    const newLog = changes.at(-1)
    if (newLog === undefined) return
    const words = say(`entry.${entry}.saved`, { crop, place })
    const photos = photosOf(newLog.uuid, state.photos)
    if ((await saveEntry({ entry: 'seed', changes, words, photos, draft })) === null) return
    if (state.value !== '') noteChoice(unitsUsed('seed', crop), amount.unit)
    showSaved(entry, newLog.uuid)
  }
  return (
    <AmountFlow
      entry={entry}
      title={composedName}
      subject={
        <EntrySubject icon={<Icon name="seed" />} name={crop} second={place} change={withQuery({ area: null })} />
      }
      amount={amount}
      units={units}
      past={past}
      onAmount={(part) => change({ unit: amount.unit, ...part })}
      line={
        <AmountDetails
          words={timeLine(areas[0])}
          details={{ ...state, ...amount }}
          composedName={composedName}
          onDetails={change}
        />
      }
      needs="nothing"
      onSave={save}
    />
  )
}
